//! `UdpProxyConfig`: the cluster and the hash of UDP sessions.

use alloc::format;

use spillgate_core::{
    model::Metadata,
    route::{
        ClusterName, Forward, HashSource, ProxyFilter, RequestRewrite, RetryPolicy, RouteTable,
        RouteTarget,
    },
};

use super::{hash_policy::read_hash_policies, tcp_proxy::CONNECTION_CLOSED};
use crate::{
    envoy::{
        RouteMarks,
        route::{ClusterNames, check_named, open_action},
        schema::{LISTENER_FILTER, MATCHER, ON_MATCH, UDP_HASH_POLICY, UDP_PROXY, UDP_ROUTE},
    },
    node::quote,
    proto::{Any, Message, Report, field_of},
};

/// The code of limits about filters.
const CODE: &str = "config/filter-not-modeled";
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
    let policy = &UDP_HASH_POLICY;
    let hash_policies = read_hash_policies(&message, "hash_policies", policy, hash_source, report);
    let cluster = if message.has("cluster") {
        let name = message.required_string("cluster", report)?;
        check_named(&message, "cluster", name, clusters, report);
        name
    } else {
        only_cluster(&message, clusters, report)?
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
    name_session_filters(&message, report);
    // Session filters and tunnels give the load balancer the connection, as `tcp_proxy` does.
    let knows_connection = ["session_filters", "tunneling_config"];
    let proxy = if knows_connection.iter().any(|field| message.has(field)) {
        ProxyFilter::Tcp
    } else {
        ProxyFilter::Udp
    };
    Some((RouteTable { proxy, ..table }, marks))
}

/// Names session filters that can end a session or choose its host.
fn name_session_filters(message: &Message<'_, '_>, report: &mut Report) {
    const PREFIX: &str = "envoy.extensions.filters.udp.udp_proxy.session.";
    const HARMLESS: [&str; 2] = ["dynamic_forward_proxy", "http_capsule"];
    for (path, node) in message.list("session_filters", report) {
        let any = field_of(node, "typed_config");
        let any = any.and_then(|any| Any::of(any, path.field("typed_config")));
        let name = any.as_ref().map_or("", |any| any.type_name);
        let kind = name
            .strip_prefix(PREFIX)
            .and_then(|rest| rest.split('.').next());
        if !kind.is_some_and(|kind| HARMLESS.contains(&kind)) {
            let effect = format!(
                "the session filter {} is not modeled; sessions can end or go elsewhere",
                quote(kind.unwrap_or(name))
            );
            report.limit(CODE, effect, &path, node.position);
        }
    }
}

/// The cluster of a matcher that is only an action. Others are named.
fn only_cluster<'n>(
    proxy: &Message<'n, '_>,
    clusters: ClusterNames<'_>,
    report: &mut Report,
) -> Option<&'n str> {
    proxy.require("matcher", report);
    let matcher = proxy.message("matcher", &MATCHER, report)?;
    let otherwise = matcher.message("on_no_match", &ON_MATCH, report);
    let conditions = ["matcher_list", "matcher_tree"];
    let otherwise = otherwise.filter(|otherwise| {
        let keeps = otherwise.bool("keep_matching", report).unwrap_or(false);
        otherwise.has("action") && !keeps && !conditions.iter().any(|field| matcher.has(field))
    });
    let Some(otherwise) = otherwise else {
        let effect = "a matcher of udp_proxy is modeled only as an action in on_no_match; its sessions are not \
                      predicted";
        report.limit(CODE, effect, &matcher.path, matcher.position);
        return None;
    };
    let of = (UDP_ROUTE_TYPE, &UDP_ROUTE, "udp_proxy");
    let route = open_action(&otherwise, of, report)?;
    let name = route.required_string("cluster", report)?;
    check_named(&route, "cluster", name, clusters, report);
    Some(name)
}

fn hash_source(policy: &Message<'_, '_>, report: &mut Report) -> Option<HashSource> {
    policy.one_of(&["source_ip", "key"], report);
    match policy.string("key", report) {
        Some(text) if !text.is_empty() => return Some(HashSource::Constant { text: text.into() }),
        None if policy.bool("source_ip", report) == Some(true) => {
            return Some(HashSource::SourceIp);
        }
        _ => {}
    }
    policy
        .error("source_ip", "config/value", "hash policy without a source")
        .expected("source_ip: true, or a key")
        .push_to(report);
    None
}
