//! Connection managers with routes, in the order in which the reader finds them.

use alloc::{string::String, vec::Vec};

use super::{FieldPlace, FilterFacts, RouteFacts, endpoints::address, filters, route, view::View};
use crate::envoy::{common::ByName, document::Roots};

/// A connection manager and its routes.
#[derive(Debug, Clone, PartialEq)]
pub struct ListenerFacts {
    /// The listener's name; may be empty.
    pub name: String,
    /// Where its routes begin.
    pub place: FieldPlace,
    /// Its addresses, as endpoints name them.
    pub addresses: Vec<String>,
    /// Request headers that are taken from every client before the filters run, lower case.
    pub stripped: Vec<String>,
    /// The HTTP filters, in order.
    pub filters: Vec<FilterFacts>,
    /// The routes, by [`Route::id`](spillgate_core::route::Route::id).
    pub routes: Vec<RouteFacts>,
}

const MANAGER: &str =
    "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";

/// Reads all listeners, or the route configurations where there is no listener.
pub(super) fn read(roots: &Roots<'_, '_>) -> Vec<ListenerFacts> {
    let beside = ByName::of(&roots.route_configurations, "name");
    let extensions = ByName::of(&roots.extensions, "name");
    if roots.listeners.is_empty() {
        let configurations = roots.route_configurations.iter();
        return configurations
            .map(|(path, node)| {
                let view = View::new(node, path.clone());
                let name = view.text("name").unwrap_or_default();
                with_routes(name, Vec::new(), None, &extensions, &view)
            })
            .collect();
    }
    let mut found = Vec::new();
    for (path, node) in &roots.listeners {
        let listener = View::new(node, path.clone());
        let name = listener.text("name").unwrap_or_default();
        let addresses = addresses(&listener, name);
        let mut chains = listener.list("filter_chains");
        chains.extend(listener.get("default_filter_chain"));
        for filter in chains.iter().flat_map(|chain| chain.list("filters")) {
            let Some((MANAGER, manager)) = filter.any("typed_config") else {
                continue;
            };
            if let Some(routes) = routes_of(&manager, &beside) {
                found.push(with_routes(
                    name,
                    addresses.clone(),
                    Some(&manager),
                    &extensions,
                    &routes,
                ));
            }
        }
    }
    found
}

fn routes_of<'n, 'a>(manager: &View<'n, 'a>, beside: &ByName<'n, 'a>) -> Option<View<'n, 'a>> {
    if let Some(inside) = manager.get("route_config") {
        return Some(inside);
    }
    let name = manager.get("rds")?.text("route_config_name")?;
    let (node, path) = beside.get(name)?;
    Some(View::new(node, path))
}

fn with_routes(
    name: &str,
    addresses: Vec<String>,
    manager: Option<&View<'_, '_>>,
    extensions: &ByName<'_, '_>,
    routes: &View<'_, '_>,
) -> ListenerFacts {
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
    ListenerFacts {
        name: name.into(),
        place: routes.place(),
        addresses,
        stripped,
        routes: route::read(routes, &filters),
        filters,
    }
}

fn addresses(listener: &View<'_, '_>, name: &str) -> Vec<String> {
    if listener.get("internal_listener").is_some() {
        return Vec::from([alloc::format!("envoy://{name}/")]);
    }
    let mut found = Vec::new();
    found.extend(listener.get("address").map(|view| address(&view)));
    for additional in listener.list("additional_addresses") {
        found.extend(additional.get("address").map(|view| address(&view)));
    }
    found
}
