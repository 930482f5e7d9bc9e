//! Listeners with their routes.

use alloc::{format, vec::Vec};

use spillgate_core::{
    model::{ClusterKind, Model},
    route::{Route, VirtualHost},
};

use super::{
    super::tree::{Fields, Tree, within},
    action::action,
    address::Address,
    filters::FilterLists,
    headers::header_mutations,
    manager::manager,
    network::{filter_chain_match, redis_proxy, tcp_proxy, udp_proxy},
    route_match::route_match,
};
use crate::{
    envoy::{
        CONNECTION_MANAGER_TYPE, HTTP_FILTER_PREFIX, ListenerConfig, ListenerProtocol, LocalAddress,
    },
    proto::Report,
};

/// The port of the first listener; later listeners use the following ports.
pub(super) const FIRST_PORT: u16 = 10_000;

/// The listeners. The model has no addresses: they get ports of 127.0.0.1, from 10000. Listeners
/// with one name become filter chains of one listener.
pub(super) fn listeners(of: &[ListenerConfig], model: &Model, report: &mut Report) -> Vec<Fields> {
    let one = |a: &ListenerConfig, b: &ListenerConfig| a.name == b.name && !a.name.is_empty();
    let has_original = model
        .clusters()
        .iter()
        .any(|cluster| matches!(cluster.kind, ClusterKind::OriginalDst(_)));
    let mut listeners = Vec::new();
    for (number, group) in (0_u16..).zip(of.chunk_by(one)) {
        let name = group.first().map_or("", |listener| &listener.name);
        let port = FIRST_PORT.saturating_add(number);
        let host = Address::Socket {
            host: "127.0.0.1",
            port,
        };
        if let [listener] = group
            && listener.protocol == ListenerProtocol::Udp
        {
            listeners.extend(udp_proxy(&listener.routes).map(|filter| {
                Fields::new()
                    .with_text("name", name)
                    .with("address", host.datagrams())
                    .with_list("listener_filters", [filter])
            }));
            continue;
        }
        let mut chains = Vec::new();
        let mut default = None;
        let is_default = |listener: &&ListenerConfig| listener.chain.matches.is_none();
        let one_default = group.len() > 1 && group.iter().filter(is_default).count() == 1;
        for (at, listener) in (0_u16..).zip(group) {
            let Some(filter) = network_filter(listener, model, report) else {
                continue;
            };
            let chain = Fields::new();
            if one_default && is_default(&listener) {
                default = Some(chain.with_list("filters", [filter]));
                continue;
            }
            let matches = listener.chain.matches.as_ref().map(filter_chain_match);
            // Envoy requires different filter chain matches.
            let number = || within("destination_port", port.saturating_add(at));
            let matches = matches
                .filter(|matches| !matches.is_empty())
                .or_else(|| (at > 0).then(number));
            chains.push(
                chain
                    .with_some("filter_chain_match", matches)
                    .with_list("filters", [filter]),
            );
        }
        if chains.is_empty() && default.is_none() {
            continue;
        }
        let names = |listener: &ListenerConfig| {
            let matches = listener.chain.matches.as_ref();
            listener.chain.inspects_tls && matches.is_some_and(|m| *m != Default::default())
        };
        let restores =
            |of: &ListenerConfig| of.chain.local == LocalAddress::MayBeRestored && has_original;
        listeners.push(
            Fields::new()
                .with_text("name", name)
                .with("address", host.message())
                .with_list(
                    "listener_filters",
                    (group.iter().any(restores).then(original_dst).into_iter())
                        .chain(group.iter().any(names).then(tls_inspector)),
                )
                .with_list("filter_chains", chains)
                .with_some("default_filter_chain", default),
        );
    }
    listeners
}

/// The network filter of a chain; `None` if it is not modeled.
fn network_filter(listener: &ListenerConfig, model: &Model, report: &mut Report) -> Option<Fields> {
    match &listener.protocol {
        ListenerProtocol::Http => Some(connection_manager(listener, model, report)),
        ListenerProtocol::Tcp => tcp_proxy(&listener.routes),
        // Not a filter of a chain.
        ListenerProtocol::Udp => None,
        ListenerProtocol::Redis(routes) => Some(redis_proxy(routes)),
        ListenerProtocol::Unknown => None,
    }
}

/// The filter that `ORIGINAL_DST` clusters need.
fn original_dst() -> Fields {
    let kind = "envoy.extensions.filters.listener.original_dst.v3.OriginalDst";
    within("name", "envoy.filters.listener.original_dst")
        .with("typed_config", Fields::of_type(kind))
}

fn tls_inspector() -> Fields {
    let kind = "envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector";
    within("name", "envoy.filters.listener.tls_inspector")
        .with("typed_config", Fields::of_type(kind))
}

fn connection_manager(of: &ListenerConfig, model: &Model, report: &mut Report) -> Fields {
    let table = &of.routes;
    // Envoy refuses routes to other clusters unless they say so.
    let mut clusters = table.virtual_hosts.iter().flat_map(|host| &host.routes);
    let validates =
        clusters.all(|route| route.clusters().all(|name| model.cluster(name).is_some()));
    let lists = FilterLists::of(table);
    let router = format!("{HTTP_FILTER_PREFIX}router.v3.Router");
    let router =
        within("name", "envoy.filters.http.router").with("typed_config", Fields::of_type(&router));
    let filters = lists.http_filters().into_iter().chain([router]);
    let routes = Fields::new()
        .with_text("name", of.name.as_str())
        .with_some("validate_clusters", (!validates).then_some(false))
        .with_flag(
            "ignore_port_in_host_matching",
            table.ignore_port_in_host_matching,
        )
        .with_flag(
            "ignore_path_parameters_in_path_matching",
            table.ignore_path_parameters_in_path_matching,
        )
        .with_flag(
            "most_specific_header_mutations_wins",
            table.most_specific_header_mutations_wins,
        )
        .with_list(
            "internal_only_headers",
            table.internal_only_headers.iter().map(|name| name.as_str()),
        )
        .and(header_mutations(&table.headers))
        .with_list(
            "virtual_hosts",
            table
                .virtual_hosts
                .iter()
                .map(|host| virtual_host(host, &lists, report)),
        );
    let config = Fields::of_type(CONNECTION_MANAGER_TYPE)
        .with("stat_prefix", "spillgate")
        .and(match &table.manager {
            Some(of) => manager(of, report),
            // Routes without a listener: their requests keep the address of the connection.
            None => within("use_remote_address", true),
        })
        .with("route_config", routes)
        .with_list("http_filters", filters);
    within("name", "envoy.filters.network.http_connection_manager").with("typed_config", config)
}

fn virtual_host(host: &VirtualHost, lists: &FilterLists<'_>, report: &mut Report) -> Fields {
    let routes = host.routes.iter().map(|one| route(one, lists, report));
    within("name", host.name.as_str())
        .with_list("domains", host.domains.iter().map(|name| name.as_str()))
        .with_list("routes", routes)
        .and(header_mutations(&host.headers))
}

fn route(route: &Route, lists: &FilterLists<'_>, report: &mut Report) -> Fields {
    Fields::new()
        .with_text("name", &route.name)
        .with("match", Tree::Map(route_match(&route.matcher, report)))
        .and(action(route, lists, report))
        .with_filled("typed_per_filter_config", lists.of_route(route))
        .and(header_mutations(&route.headers))
}
