//! `TcpProxy`: the cluster, criteria and hash of connections.

use alloc::{string::ToString as _, vec::Vec};

use spillgate_core::{
    model::Metadata,
    route::{
        ClusterName, Forward, HashSource, HeaderMutations, RequestRewrite, RetryPolicy, RouteTable,
        RouteTarget, SplitBy, WeightedCluster, WeightedClusters,
    },
};

use super::hash_policy::read_hash_policies;
use crate::{
    envoy::{
        RouteMarks,
        common::envoy_lb,
        facts::{RouteFacts, WeightedFacts},
        route::{ClusterNames, check_named},
        schema::{
            HASH_POLICY_KEY, SOURCE_IP, TCP_CLUSTER_WEIGHT, TCP_HASH_POLICY, TCP_PROXY,
            TCP_WEIGHTED_CLUSTERS,
        },
    },
    proto::{Any, Message, Report},
};

/// The status of a connection without a host: Envoy closes it.
pub const CONNECTION_CLOSED: u16 = 0;

/// Reads the filter as a table with one route; `None` after an error.
pub(in crate::envoy) fn read_tcp_proxy(
    any: Any<'_, '_>,
    clusters: ClusterNames<'_>,
    report: &mut Report,
) -> Option<(RouteTable, RouteMarks, RouteFacts)> {
    let message = any.open(&TCP_PROXY, report)?;
    message.one_of(&["cluster", "weighted_clusters"], report);
    let criteria = envoy_lb(&message, "metadata_match", report);
    let mut facts = RouteFacts::of_tcp(&message);
    let policy = &TCP_HASH_POLICY;
    let hash_policies = read_hash_policies(&message, "hash_policy", policy, hash_source, report);
    let target = if message.has("weighted_clusters") {
        RouteTarget::Weighted(read_weighted(
            &message, &criteria, clusters, &mut facts, report,
        )?)
    } else {
        let name = message.required_string("cluster", report)?;
        if message.has("on_demand") {
            name_on_demand(&message, name, clusters, report);
        } else {
            check_named(&message, "cluster", name, clusters, report);
        }
        RouteTarget::One(ClusterName::Name(name.into()))
    };
    let mut marks = RouteMarks::new(message.position);
    let position = |field| message.get(field).map(|node| node.position);
    marks.hash_policy = position("hash_policy");
    marks.metadata_match = position("metadata_match");
    marks.weighted_clusters = position("weighted_clusters");
    let attempts = message.wrapped_u32("max_connect_attempts", report);
    if attempts == Some(0) {
        message.out_of_range("max_connect_attempts", "at least 1", report);
    }
    marks.connect_attempts = attempts.unwrap_or(1);
    let forward = Forward {
        target,
        criteria,
        hash_policies,
        rewrite: RequestRewrite::default(),
        retry: RetryPolicy::NONE,
        cluster_not_found: CONNECTION_CLOSED,
    };
    Some((RouteTable::of_connections(forward), marks, facts))
}

/// Names a cluster that discovery on demand can add.
fn name_on_demand(
    message: &Message<'_, '_>,
    name: &str,
    clusters: ClusterNames<'_>,
    report: &mut Report,
) {
    if clusters.is_some_and(|known| !known.names.contains(name)) {
        let effect =
            "on_demand is not modeled; it can add the cluster, which is missing in the input";
        let (path, position) = (
            message.path.field("on_demand"),
            message.position_of("on_demand"),
        );
        report.limit("config/not-modeled", effect, &path, position);
    }
}

fn hash_source(policy: &Message<'_, '_>, report: &mut Report) -> Option<HashSource> {
    policy.one_of(&["source_ip", "filter_state"], report);
    if policy.has("source_ip") {
        policy.message("source_ip", &SOURCE_IP, report);
        return Some(HashSource::SourceIp);
    }
    if policy.has("filter_state") {
        let state = policy.message("filter_state", &HASH_POLICY_KEY, report)?;
        let key = state.required_string("key", report)?.into();
        return Some(HashSource::FilterState { key });
    }
    policy
        .error("source_ip", "config/missing", "empty hash policy")
        .expected("source_ip or filter_state")
        .push_to(report);
    None
}

fn read_weighted(
    proxy: &Message<'_, '_>,
    criteria: &Metadata,
    names: ClusterNames<'_>,
    facts: &mut RouteFacts,
    report: &mut Report,
) -> Option<WeightedClusters> {
    let errors = report.errors();
    let field = "weighted_clusters";
    let message = proxy.message(field, &TCP_WEIGHTED_CLUSTERS, report)?;
    let mut clusters = Vec::new();
    for (path, node) in message.list("clusters", report) {
        let Some(entry) = Message::open(node, path, &TCP_CLUSTER_WEIGHT, report) else {
            continue;
        };
        facts.weighted.push(WeightedFacts::of(&entry));
        let name = entry.required_string("name", report);
        let weight = entry.u32("weight", report).unwrap_or(0);
        if weight == 0 {
            entry.out_of_range("weight", "at least 1", report);
        }
        let own = envoy_lb(&entry, "metadata_match", report);
        let Some(name) = name else { continue };
        check_named(&entry, "name", name, names, report);
        clusters.push(WeightedCluster {
            cluster: ClusterName::Name(name.into()),
            weight,
            criteria: criteria.overridden(&own),
            filters: None,
            headers: HeaderMutations::default(),
            host_rewrite: None,
        });
    }
    if report.errors() > errors {
        return None;
    }
    match WeightedClusters::new(clusters, SplitBy::Random) {
        Ok(clusters) => Some(clusters),
        Err(error) => {
            report.push(message.error("clusters", "config/weight", error.to_string()));
            None
        }
    }
}
