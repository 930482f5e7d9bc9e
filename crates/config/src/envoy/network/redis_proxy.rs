//! `RedisProxy`: the clusters of Redis keys.

use spillgate_core::route::{RedisRoute, RedisRoutes};

use crate::{
    envoy::{
        route::{ClusterNames, check_named},
        schema::{REDIS_PREFIX_ROUTES, REDIS_PROXY, REDIS_ROUTE, REDIS_SETTINGS},
    },
    proto::{Any, Message, Report},
};

/// Reads the filter; `None` after an error.
pub(in crate::envoy) fn read_redis_proxy(
    any: Any<'_, '_>,
    clusters: ClusterNames<'_>,
    report: &mut Report,
) -> Option<RedisRoutes> {
    let message = any.open(&REDIS_PROXY, report)?;
    let mut routes = RedisRoutes::default();
    if let Some(settings) = message.message("settings", &REDIS_SETTINGS, report) {
        routes.hash_tags = settings.bool("enable_hashtagging", report).unwrap_or(false);
    }
    let Some(prefixes) = message.message("prefix_routes", &REDIS_PREFIX_ROUTES, report) else {
        return Some(routes);
    };
    routes.case_insensitive = prefixes.bool("case_insensitive", report).unwrap_or(false);
    for (path, node) in prefixes.list("routes", report) {
        if let Some(route) = Message::open(node, path, &REDIS_ROUTE, report) {
            routes.prefixes.extend(read_route(&route, clusters, report));
        }
    }
    if let Some(route) = prefixes.message("catch_all_route", &REDIS_ROUTE, report) {
        routes.catch_all = read_route(&route, clusters, report).map(|route| RedisRoute {
            prefix: Default::default(),
            ..route
        });
    }
    Some(routes)
}

fn read_route(
    route: &Message<'_, '_>,
    clusters: ClusterNames<'_>,
    report: &mut Report,
) -> Option<RedisRoute> {
    let cluster = route.required_string("cluster", report)?;
    check_named(route, "cluster", cluster, clusters, report);
    let format = route.string("key_formatter", report);
    let format = format.filter(|format| !format.is_empty());
    // Other commands read the state of the connection.
    if format.is_some_and(|format| format.replace("%KEY%", "").contains('%')) {
        report.limit(
            "config/redis-not-modeled",
            "key_formatter with commands other than %KEY% is not modeled; keys of this route can \
             go to other hosts",
            &route.path.field("key_formatter"),
            route.position_of("key_formatter"),
        );
    }
    Some(RedisRoute {
        prefix: route.string("prefix", report).unwrap_or_default().into(),
        remove_prefix: route.bool("remove_prefix", report).unwrap_or(false),
        key_formatter: format.map(Into::into),
        cluster: cluster.into(),
    })
}
