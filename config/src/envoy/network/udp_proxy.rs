//! `UdpProxyConfig`: the cluster and the hash of UDP sessions.

use alloc::vec::Vec;

use spillgate_core::{
    model::Metadata,
    route::{
        ClusterName, Forward, HashPolicy, HashSource, ProxyFilter, RequestRewrite, RetryPolicy,
        RouteTable, RouteTarget,
    },
};

use super::tcp_proxy::CONNECTION_CLOSED;
use crate::{
    envoy::{
        RouteMarks,
        route::{ClusterNames, check_named},
        schema::{
            LISTENER_FILTER, MATCHER, ON_MATCH, TYPED_EXTENSION, UDP_HASH_POLICY, UDP_PROXY,
            UDP_ROUTE,
        },
    },
    proto::{Message, Report},
};

/// The type of the filter.
pub(crate) const UDP_PROXY_TYPE: &str = "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig";
/// The type of the action of its matcher.
pub(crate) const UDP_ROUTE_TYPE: &str = "envoy.extensions.filters.udp.udp_proxy.v3.Route";

/// Reads the first UDP proxy among the listener filters as a table with one route: only the first one acts.
/// `None` without one that is modeled.
pub(in crate::envoy) fn read_udp_proxy(
    listener: &Message<'_, '_>,
    clusters: ClusterNames<'_>,
    report: &mut Report,
) -> Option<(RouteTable, RouteMarks)> {
    let filters = listener.list("listener_filters", report);
    let mut filters = filters.filter_map(|(path, node)| {
        let filter = Message::open(node, path, &LISTENER_FILTER, &mut Report::default())?;
        let any = filter.any("typed_config", &mut Report::default())?;
        (any.type_name == UDP_PROXY_TYPE).then_some(filter)
    });
    let filter = filters.next()?;
    let message = filter
        .any("typed_config", report)?
        .open(&UDP_PROXY, report)?;
    message.one_of(&["cluster", "matcher"], report);
    let hash_policies = read_hash_policies(&message, report);
    let cluster = match message.has("cluster") {
        true => {
            let name = message.required_string("cluster", report)?;
            check_named(&message, "cluster", name, clusters, report);
            name
        }
        false => only_cluster(&message, clusters, report)?,
    };
    let mut marks = RouteMarks::new(message.position);
    marks.hash_policy = message.get("hash_policies").map(|node| node.position);
    marks.connect_attempts = 1;
    let table = RouteTable::of_connections(Forward {
        target: RouteTarget::One(ClusterName::Name(cluster.into())),
        criteria: Metadata::default(),
        hash_policies,
        rewrite: RequestRewrite::default(),
        retry: RetryPolicy::NONE,
        cluster_not_found: CONNECTION_CLOSED,
    });
    // Session filters and tunnels give the load balancer the connection, as `tcp_proxy` does.
    let knows_connection = ["session_filters", "tunneling_config"];
    let proxy = match knows_connection.iter().any(|field| message.has(field)) {
        true => ProxyFilter::Tcp,
        false => ProxyFilter::Udp,
    };
    Some((RouteTable { proxy, ..table }, marks))
}

/// The cluster of a matcher without conditions.
fn only_cluster<'n>(
    proxy: &Message<'n, '_>,
    clusters: ClusterNames<'_>,
    report: &mut Report,
) -> Option<&'n str> {
    proxy.require("matcher", report);
    let matcher = proxy.message("matcher", &MATCHER, report)?;
    for field in ["matcher_list", "matcher_tree"] {
        if matcher.has(field) {
            let effect = "conditions of the matcher of udp_proxy are not modeled; its sessions are not predicted";
            let (path, position) = (matcher.path.field(field), matcher.position_of(field));
            report.limit("config/filter-not-modelled", effect, &path, position);
            return None;
        }
    }
    let otherwise = matcher.message("on_no_match", &ON_MATCH, report)?;
    let action = otherwise.message("action", &TYPED_EXTENSION, report)?;
    let any = action.any("typed_config", report)?;
    if any.type_name != UDP_ROUTE_TYPE {
        action
            .error("typed_config", "config/value", "not an action of udp_proxy")
            .expected(UDP_ROUTE_TYPE)
            .push_to(report);
        return None;
    }
    let route = any.open(&UDP_ROUTE, report)?;
    let name = route.required_string("cluster", report)?;
    check_named(&route, "cluster", name, clusters, report);
    Some(name)
}

fn read_hash_policies(message: &Message<'_, '_>, report: &mut Report) -> Vec<HashPolicy> {
    let mut policies = Vec::new();
    for (path, node) in message.list("hash_policies", report) {
        let Some(policy) = Message::open(node, path, &UDP_HASH_POLICY, report) else {
            continue;
        };
        policy.one_of(&["source_ip", "key"], report);
        let source = match policy.string("key", report) {
            Some(text) if !text.is_empty() => HashSource::Constant { text: text.into() },
            None if policy.bool("source_ip", report) == Some(true) => HashSource::SourceIp,
            _ => {
                policy
                    .error("source_ip", "config/value", "hash policy without a source")
                    .expected("source_ip: true, or a key")
                    .push_to(report);
                continue;
            }
        };
        policies.push(HashPolicy {
            source,
            terminal: false,
        });
    }
    if policies.len() > 1 {
        message
            .error("hash_policies", "config/value", "several hash policies")
            .expected("at most one")
            .push_to(report);
    }
    policies
}
