//! The routes of a connection manager, with the settings around them that requests reach.

use alloc::{borrow::ToOwned as _, format};

use spillgate_core::route::RouteTable;

use super::{ListenerConfig, ListenerContext};
use crate::{
    Diagnostic,
    envoy::{
        admission::name_admission,
        api_listener::name_settings,
        common::file_of,
        connection::{ChainSecurity, LocalAddress},
        facts::ListenerFacts,
        filters::read_filters,
        manager::{ManagerPlace, read_connection_manager},
        route::{ClusterNames, RoutesFrom, limit_retry_time, read_routes},
        schema::{RDS, TYPED_EXTENSION},
    },
    node::{Node, quote},
    proto::{Message, Path, ReadHeaders, Report},
};

/// What a connection manager belongs to.
pub(super) enum ManagerOwner<'m, 'n, 'a> {
    /// A filter chain.
    Chain(&'m Message<'n, 'a>, LocalAddress),
    /// A client, such as gRPC (`api_listener`).
    Client,
}

/// Reads a connection manager; `None` if its routes are not in the input.
pub(super) fn read_routes_of(
    manager: &Message<'_, '_>,
    (listener, owner): (&Message<'_, '_>, ManagerOwner<'_, '_, '_>),
    context: &ListenerContext<'_, '_, '_>,
    report: &mut Report,
) -> Option<ListenerConfig> {
    manager.one_of(&["rds", "route_config", "scoped_routes"], report);
    let filters = read_filters(manager, context.extensions, report);
    let inside = manager
        .get("route_config")
        .map(|node| (node, manager.path.field("route_config")));
    let from = match inside {
        Some(_) => RoutesFrom::Listener,
        None => RoutesFrom::Discovery,
    };
    let Some((node, path)) = inside.or_else(|| discovered(manager, context, report)) else {
        // Nothing reads headers.
        report.settle_headers(&ReadHeaders::default());
        return None;
    };
    let security = match owner {
        ManagerOwner::Chain(chain, _) => security(chain, report),
        ManagerOwner::Client => ChainSecurity::Unknown,
    };
    let of_routes = (from, security);
    let (mut routes, mut marks, facts) = read_routes(
        node,
        path.clone(),
        context.clusters,
        &filters,
        of_routes,
        report,
    );
    match owner {
        ManagerOwner::Chain(_, addresses) => {
            let place = ManagerPlace {
                security,
                addresses,
            };
            routes.manager = Some(read_connection_manager(manager, place, report));
        }
        ManagerOwner::Client => name_settings(manager, report),
    }
    for mark in &mut marks {
        limit_retry_time(manager, &mut mark.retry_time);
    }
    settle_headers(&routes, context.clusters, report);
    name_admission(manager, &routes, report);
    if filters.spillgate().next().is_some() && has_fractions(&routes) {
        let effect = "routes with runtime_fraction are not modeled for a Spillgate filter: it is predicted \
                      with the first of the routes that can match";
        report.limit("config/filter-not-modeled", effect, &path, node.position);
    }
    Some(ListenerConfig {
        routes,
        marks,
        spillgate: filters.spillgate().collect(),
        facts: report.is_judged().then(|| {
            ListenerFacts::new((node, &path), filters.facts, facts).within(listener, manager)
        }),
        ..ListenerConfig::default()
    })
}

/// Whether a route matches only a share of the requests.
fn has_fractions(of: &RouteTable) -> bool {
    let mut routes = of.virtual_hosts.iter().flat_map(|host| &host.routes);
    routes.any(|route| route.matcher.fraction.is_some())
}

/// Whether the transport socket of a chain encrypts.
fn security(chain: &Message<'_, '_>, report: &mut Report) -> ChainSecurity {
    const TLS: [&str; 2] = [
        "envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext",
        "envoy.extensions.transport_sockets.quic.v3.QuicDownstreamTransport",
    ];
    const PLAIN: &str = "envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer";
    let Some(socket) = chain.message("transport_socket", &TYPED_EXTENSION, report) else {
        return ChainSecurity::Plain;
    };
    match socket.any("typed_config", report) {
        Some(any) if TLS.contains(&any.type_name) => ChainSecurity::Tls,
        Some(any) if any.type_name == PLAIN => ChainSecurity::Plain,
        _ => ChainSecurity::Unknown,
    }
}

/// Keeps the limits about headers that the routes or the clusters read.
pub(in crate::envoy) fn settle_headers(
    routes: &RouteTable,
    clusters: ClusterNames<'_>,
    report: &mut Report,
) {
    let (mut all, mut common) = (routes.read_headers(), routes.common_read_headers());
    for name in clusters.iter().flat_map(|known| known.headers.iter()) {
        all.add(name);
        common.add(name);
    }
    let of_routes = routes
        .virtual_hosts
        .iter()
        .flat_map(|host| &host.routes)
        .map(|route| (route.id, route.read_headers()));
    let routes = of_routes.collect();
    report.settle_headers(&ReadHeaders {
        all,
        common,
        routes,
    });
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
