//! Connection managers with routes, in the order of the reader.

use alloc::{format, string::String, vec::Vec};
use core::net::IpAddr;

use super::{FieldPlace, FilterFacts, RouteFacts, filters, route, view::View};
use crate::envoy::common::ByName;

/// A connection manager and its routes.
#[derive(Debug, Clone, PartialEq)]
pub struct ListenerFacts {
    /// Position of its routes.
    pub place: FieldPlace,
    /// Its addresses, in the form of endpoint addresses.
    pub addresses: Vec<String>,
    /// Request headers that are removed from every client request before the filters run,
    /// lowercase.
    pub stripped: Vec<String>,
    /// The HTTP filters, in order.
    pub filters: Vec<FilterFacts>,
    /// The routes, by [`Route::id`](spillgate_core::route::Route::id).
    pub routes: Vec<RouteFacts>,
}

impl ListenerFacts {
    /// Reads the facts of a connection manager in a listener, or of a standalone route
    /// configuration.
    pub(in crate::envoy) fn read(
        listener: Option<&View<'_, '_>>,
        manager: Option<&View<'_, '_>>,
        routes: &View<'_, '_>,
        extensions: &ByName<'_, '_>,
    ) -> Self {
        let list = |field| manager.map(|view| view.list(field)).unwrap_or_default();
        let filters: Vec<_> = list("http_filters")
            .iter()
            .map(|filter| filters::read(filter, extensions))
            .collect();
        let mut stripped = Vec::new();
        for early in list("early_header_mutation_extensions") {
            if let Some((_, config)) = early.any("typed_config") {
                stripped.extend(filters::taken(&config.list("mutations")));
            }
        }
        let internal = routes.texts("internal_only_headers").into_iter();
        stripped.extend(internal.map(|name| name.to_ascii_lowercase()));
        Self {
            place: routes.place(),
            addresses: listener.map(addresses).unwrap_or_default(),
            stripped,
            routes: route::read(routes, &filters),
            filters,
        }
    }
}

fn addresses(listener: &View<'_, '_>) -> Vec<String> {
    if listener.get("internal_listener").is_some() {
        let name = listener.text("name").unwrap_or_default();
        return Vec::from([format!("envoy://{name}/")]);
    }
    let mut found = Vec::new();
    found.extend(listener.get("address").map(|view| address(&view)));
    for additional in listener.list("additional_addresses") {
        found.extend(additional.get("address").map(|view| address(&view)));
    }
    found
}

/// An address in Envoy's form; empty if it cannot be read.
fn address(view: &View<'_, '_>) -> String {
    if let Some(path) = view.get("pipe").and_then(|pipe| pipe.text("path")) {
        return path.into();
    }
    if let Some(internal) = view.get("envoy_internal_address") {
        let listener = internal.text("server_listener_name").unwrap_or_default();
        let id = internal.text("endpoint_id").unwrap_or_default();
        return format!("envoy://{listener}/{id}");
    }
    let Some(socket) = view.get("socket_address") else {
        return String::new();
    };
    let host = socket.text("address").unwrap_or_default();
    let port = socket.number("port_value").unwrap_or(0);
    match host.parse() {
        Ok(IpAddr::V6(ip)) => format!("[{ip}]:{port}"),
        Ok(IpAddr::V4(ip)) => format!("{ip}:{port}"),
        Err(_) => format!("{host}:{port}"),
    }
}
