//! `UdpProxyConfig`: the cluster and the hash of UDP sessions.

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
    let policy = &UDP_HASH_POLICY;
    let hash_policies = read_hash_policies(&message, "hash_policies", policy, hash_source, report);
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
