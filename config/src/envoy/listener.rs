//! Listeners with routes in their HTTP connection managers.

use alloc::{
    borrow::ToOwned as _,
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_core::route::RouteTable;

use super::{
    RouteMarks, SpillgateFilter,
    common::{ByName, check_version, file_of},
    facts::ListenerFacts,
    filters::read_filters,
    route::{ClusterNames, RoutesFrom, read_routes},
    schema::{CONNECTION_MANAGER, FILTER, FILTER_CHAIN, LISTENER, RDS},
};
use crate::{
    Affects, Diagnostic,
    node::{Node, NodeValue, quote},
    proto::{Message, Path, Report, field_of},
};

/// The type of the network filter with routes.
pub(crate) const CONNECTION_MANAGER_TYPE: &str =
    "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";

/// The routes of one HTTP connection manager.
#[derive(Debug, Clone)]
pub struct ListenerConfig {
    /// The listener's name, or that of a standalone route configuration; may be empty.
    pub name: String,
    /// Its address, `ip:port` or a path; empty if it is unknown.
    pub address: String,
    /// The routes.
    pub routes: RouteTable,
    /// The positions of the routes, by [`Route::id`](spillgate_core::route::Route::id).
    pub marks: Vec<RouteMarks>,
    /// The Spillgate filters, by the number in
    /// [`RequestFilter::Spillgate`](spillgate_core::route::RequestFilter).
    pub spillgate: Vec<SpillgateFilter>,
    /// Further facts; only if read by [`read_for_lint`](super::read_for_lint).
    pub facts: Option<ListenerFacts>,
}

/// The messages that connection managers refer to.
pub(super) struct ListenerContext<'c, 'n, 'a> {
    pub(super) clusters: ClusterNames<'c>,
    pub(super) route_configurations: &'c ByName<'n, 'a>,
    /// Filters from ECDS.
    pub(super) extensions: &'c ByName<'n, 'a>,
}

/// Reads a listener: adds one entry per connection manager with routes, none for other listeners.
pub(super) fn read_listener(
    node: &Node<'_>,
    path: Path,
    context: &ListenerContext<'_, '_, '_>,
    listeners: &mut Vec<ListenerConfig>,
    report: &mut Report,
) {
    let Some(message) = Message::open(node, path, &LISTENER, report) else {
        return;
    };
    let before = listeners.len();
    let name = message.string("name", report).unwrap_or_default();
    let mut chains: Vec<_> = message.list("filter_chains", report).collect();
    if let Some(node) = message.get("default_filter_chain") {
        chains.push((message.path.field("default_filter_chain"), node));
    }
    for (path, node) in chains {
        let Some(chain) = Message::open(node, path, &FILTER_CHAIN, report) else {
            continue;
        };
        for (path, node) in chain.list("filters", report) {
            let affects = Affects::Listener(listeners.len());
            let read = report.within(affects, |report| {
                read_filter(node, path, &message, context, report)
            });
            listeners.extend(read.map(|read| ListenerConfig {
                name: name.into(),
                ..read
            }));
        }
    }
    let address = address_text(node);
    for listener in listeners.iter_mut().skip(before) {
        listener.address.clone_from(&address);
    }
}

/// Reads a network filter; `None` if it has no routes.
fn read_filter(
    node: &Node<'_>,
    path: Path,
    listener: &Message<'_, '_>,
    context: &ListenerContext<'_, '_, '_>,
    report: &mut Report,
) -> Option<ListenerConfig> {
    let filter = Message::open(node, path, &FILTER, report)?;
    let any = filter.any("typed_config", report)?;
    if any.type_name != CONNECTION_MANAGER_TYPE {
        check_version(any.node, &any.path, report);
        return None;
    }
    let manager = any.open(&CONNECTION_MANAGER, report)?;
    manager.one_of(&["rds", "route_config", "scoped_routes"], report);
    let filters = read_filters(&manager, context.extensions, report);
    let inside = manager.get("route_config");
    let inside = inside.map(|node| (node, manager.path.field("route_config")));
    let from = match inside {
        Some(_) => RoutesFrom::Listener,
        None => RoutesFrom::Discovery,
    };
    let (node, path) = inside.or_else(|| discovered(&manager, context, report))?;
    let (mut routes, marks, facts) =
        read_routes(node, path.clone(), context.clusters, &filters, from, report);
    routes.forwarded_for = forwarded_for(&manager, report);
    Some(ListenerConfig {
        name: String::new(),
        address: String::new(),
        routes,
        marks,
        spillgate: filters.spillgate().collect(),
        facts: report.is_judged().then(|| {
            ListenerFacts::new((node, &path), filters.facts, facts).within(listener, &manager)
        }),
    })
}

/// The address of a listener, or an empty text. It has no effect on the routes, so it is not checked.
fn address_text(listener: &Node<'_>) -> String {
    let text = |node: &Node<'_>| match &node.value {
        NodeValue::String(text) => text.to_string(),
        NodeValue::Int(number) => number.to_string(),
        _ => String::new(),
    };
    let Some(address) = field_of(listener, "address") else {
        return String::new();
    };
    if let Some(path) = field_of(address, "pipe").and_then(|pipe| field_of(pipe, "path")) {
        return text(path);
    }
    let of_socket = |name| Some(text(field_of(field_of(address, "socket_address")?, name)?));
    match (of_socket("address"), of_socket("port_value")) {
        (Some(host), Some(port)) if host.contains(':') => format!("[{host}]:{port}"),
        (Some(host), Some(port)) => format!("{host}:{port}"),
        _ => String::new(),
    }
}

/// How many trusted hops of `x-forwarded-for` are skipped to find the client; `None`: the header is
/// not used.
fn forwarded_for(manager: &Message<'_, '_>, report: &mut Report) -> Option<u32> {
    let own = manager.bool("use_remote_address", report).unwrap_or(false);
    let hops = manager.u32("xff_num_trusted_hops", report).unwrap_or(0);
    // Envoy itself is one of the hops if it writes the header.
    if own { hops.checked_sub(1) } else { Some(hops) }
}

fn discovered<'n, 'a>(
    manager: &Message<'_, '_>,
    context: &ListenerContext<'_, 'n, 'a>,
    report: &mut Report,
) -> Option<(&'n Node<'a>, Path)> {
    let rds = manager.message("rds", &RDS, report)?;
    let name = rds.required_string("route_config_name", report)?;
    let found = context.route_configurations.get(name);
    if found.is_none() {
        let file = rds.get("config_source").and_then(file_of);
        // The same query of the running Envoy also answers with the routes.
        let file = file.filter(|_| !report.is_dump());
        Diagnostic::warning(
            "config/rds-routes",
            "RDS provides this listener's routes; its requests are not predicted",
        )
        .at(
            rds.path.field("route_config_name").text(),
            rds.position_of("route_config_name"),
        )
        .found(quote(name))
        .expected(match file {
            Some((file, _)) => format!("the file {file} in the input, or --root"),
            None => "its RouteConfiguration in the input, or the output of /config_dump".to_owned(),
        })
        .push_to(report);
    }
    found
}
