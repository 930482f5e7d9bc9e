//! Connection managers with routes, in the order of the reader.

use alloc::{format, string::String, vec::Vec};

use super::{
    FieldPlace, FilterFacts, RouteFacts, elements::elements, filters::taken, route::lowercase_names,
};
use crate::{
    envoy::{
        common::read_address,
        connection::LocalAddress,
        schema::{ADDITIONAL_ADDRESS, ROUTE_CONFIGURATION},
    },
    node::Node,
    proto::{Message, Path, Report, field_of},
};

/// A connection manager and its routes.
#[derive(Debug, Clone, PartialEq)]
pub struct ListenerFacts {
    /// Position of its routes.
    pub place: FieldPlace,
    /// Its addresses, in the form of endpoint addresses.
    pub addresses: Vec<String>,
    /// Whether listener filters can restore the original destination of a connection.
    pub local: LocalAddress,
    /// Request headers that are removed from every client request before the filters run,
    /// lowercase.
    pub stripped: Vec<String>,
    /// The HTTP filters, in order.
    pub filters: Vec<FilterFacts>,
    /// The routes, by [`Route::id`](spillgate_core::route::Route::id).
    pub routes: Vec<RouteFacts>,
}

impl ListenerFacts {
    /// A route configuration and its routes, which have been read behind these filters.
    pub(in crate::envoy) fn new(
        (node, path): (&Node<'_>, &Path),
        filters: Vec<FilterFacts>,
        routes: Vec<RouteFacts>,
    ) -> Self {
        let unreported = &mut Report::default();
        let message = Message::open(node, path.clone(), &ROUTE_CONFIGURATION, unreported);
        let internal = message.map(|message| lowercase_names(&message, "internal_only_headers"));
        Self {
            place: FieldPlace::new(path, node.position),
            addresses: Vec::new(),
            local: LocalAddress::default(),
            stripped: internal.unwrap_or_default(),
            filters,
            routes,
        }
    }

    /// A TCP proxy, whose only route is the filter itself.
    pub(in crate::envoy) fn of_tcp(listener: &Message<'_, '_>, route: RouteFacts) -> Self {
        Self {
            place: route.place.clone(),
            addresses: addresses(listener),
            local: LocalAddress::default(),
            stripped: Vec::new(),
            filters: Vec::new(),
            routes: Vec::from([route]),
        }
    }

    /// With what the listener and its connection manager add.
    pub(in crate::envoy) fn within(
        self,
        listener: &Message<'_, '_>,
        manager: &Message<'_, '_>,
    ) -> Self {
        let early = elements(manager.get("early_header_mutation_extensions"))
            .iter()
            .filter_map(|node| field_of(node, "typed_config"))
            .flat_map(|config| taken(field_of(config, "mutations")));
        Self {
            addresses: addresses(listener),
            stripped: early.chain(self.stripped).collect(),
            ..self
        }
    }
}

/// The addresses of a listener. What its reader does not read is not reported.
fn addresses(listener: &Message<'_, '_>) -> Vec<String> {
    let unreported = &mut Report::default();
    if listener.has("internal_listener") {
        let name = listener.string("name", unreported).unwrap_or_default();
        return Vec::from([format!("envoy://{name}/")]);
    }
    let additional = listener.list("additional_addresses", unreported);
    let mut messages = Vec::from([listener.clone()]);
    for (path, node) in additional {
        messages.extend(Message::open(node, path, &ADDITIONAL_ADDRESS, unreported));
    }
    let messages = messages.iter().filter(|message| message.has("address"));
    messages
        .filter_map(|message| Some(read_address(message, true, unreported)?.text))
        .collect()
}
