//! Filter chain conditions, TCP proxies and Redis proxies.

use spillgate_core::route::{
    AddressRange, ClusterName, FilterChainMatch, Forward, HashPolicy, HashSource, RedisRoute,
    RedisRoutes, RouteAction, RouteTable, RouteTarget, SourceType, WeightedCluster,
};

use super::{
    super::tree::{Fields, within},
    metadata::envoy_lb,
};
use crate::envoy::{REDIS_PROXY_TYPE, TCP_PROXY_TYPE, UDP_PROXY_TYPE, UDP_ROUTE_TYPE};

/// The conditions of a filter chain; empty without any.
pub(super) fn filter_chain_match(of: &FilterChainMatch) -> Fields {
    let range = |range: &AddressRange| {
        within("address_prefix", alloc::format!("{}", range.address))
            .with("prefix_len", u32::from(range.length))
    };
    let ranges = |of: &[AddressRange]| of.iter().map(range).collect::<alloc::vec::Vec<_>>();
    let source_type = match of.source_type {
        SourceType::Any => None,
        SourceType::SameIpOrLoopback => Some("SAME_IP_OR_LOOPBACK"),
        SourceType::External => Some("EXTERNAL"),
    };
    Fields::new()
        .with_some("destination_port", of.destination_port)
        .with_list("prefix_ranges", ranges(&of.destination))
        .with_list(
            "server_names",
            of.server_names.iter().map(|text| text.as_str()),
        )
        .with_some("transport_protocol", of.transport_protocol.as_deref())
        .with_list(
            "application_protocols",
            of.application_protocols.iter().map(|text| text.as_str()),
        )
        .with_list("direct_source_prefix_ranges", ranges(&of.direct_source))
        .with_some("source_type", source_type)
        .with_list("source_prefix_ranges", ranges(&of.source))
        .with_list("source_ports", of.source_ports.iter().copied())
}

/// The filter of a table for connections; `None` for another table.
pub(super) fn tcp_proxy(table: &RouteTable) -> Option<Fields> {
    let route = table.virtual_hosts.first()?.routes.first()?;
    let RouteAction::Forward(forward) = &route.action else {
        return None;
    };
    let config = Fields::of_type(TCP_PROXY_TYPE)
        .with("stat_prefix", "spillgate")
        .and(target(forward)?)
        .with_filled("metadata_match", envoy_lb(&forward.criteria))
        .with_list("hash_policy", forward.hash_policies.iter().map(hash_policy));
    Some(within("name", "envoy.filters.network.tcp_proxy").with("typed_config", config))
}

fn target(forward: &Forward) -> Option<Fields> {
    match &forward.target {
        RouteTarget::One(ClusterName::Name(name)) => Some(within("cluster", name.as_str())),
        RouteTarget::Weighted(clusters) => {
            let entry = |one: &WeightedCluster| {
                let ClusterName::Name(name) = &one.cluster else {
                    return None;
                };
                let own = (one.criteria != forward.criteria).then(|| envoy_lb(&one.criteria));
                let entry = within("name", name.as_str()).with("weight", one.weight);
                Some(entry.with_filled("metadata_match", own.unwrap_or_default()))
            };
            let entries = clusters.clusters().iter().filter_map(entry);
            let entries = Fields::new().with_list("clusters", entries);
            Some(within("weighted_clusters", entries))
        }
        _ => None,
    }
}

fn hash_policy(of: &HashPolicy) -> Fields {
    match &of.source {
        HashSource::FilterState { key } => within("filter_state", within("key", key.as_str())),
        _ => within("source_ip", Fields::new()),
    }
}

/// The UDP proxy of a table; `None` for another table.
pub(super) fn udp_proxy(table: &RouteTable) -> Option<Fields> {
    let route = table.virtual_hosts.first()?.routes.first()?;
    let cluster = route.cluster()?;
    let RouteAction::Forward(forward) = &route.action else {
        return None;
    };
    let policy = |of: &HashPolicy| match &of.source {
        HashSource::Constant { text } => within("key", text.as_str()),
        _ => within("source_ip", true),
    };
    let to = Fields::of_type(UDP_ROUTE_TYPE).with("cluster", cluster);
    let action = within("name", "route").with("typed_config", to);
    let otherwise = within("on_no_match", within("action", action));
    let config = Fields::of_type(UDP_PROXY_TYPE)
        .with("stat_prefix", "spillgate")
        .with("matcher", otherwise)
        .with_list("hash_policies", forward.hash_policies.iter().map(policy));
    Some(within("name", "envoy.filters.udp_listener.udp_proxy").with("typed_config", config))
}

/// The filter with these routes.
pub(super) fn redis_proxy(routes: &RedisRoutes) -> Fields {
    let route = |of: &RedisRoute| {
        Fields::new()
            .with_text("prefix", &of.prefix)
            .with_flag("remove_prefix", of.remove_prefix)
            .with_text(
                "key_formatter",
                of.key_formatter.as_deref().unwrap_or_default(),
            )
            .with("cluster", of.cluster.as_str())
    };
    let prefixes = Fields::new()
        .with_flag("case_insensitive", routes.case_insensitive)
        .with_list("routes", routes.prefixes.iter().map(route))
        .with_some("catch_all_route", routes.catch_all.as_ref().map(route));
    let settings = within("op_timeout", "5s").with_flag("enable_hashtagging", routes.hash_tags);
    let config = Fields::of_type(REDIS_PROXY_TYPE)
        .with("stat_prefix", "spillgate")
        .with("settings", settings)
        .with_filled("prefix_routes", prefixes);
    within("name", "envoy.filters.network.redis_proxy").with("typed_config", config)
}
