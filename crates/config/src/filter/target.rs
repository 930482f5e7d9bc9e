//! `target`, `targets` and `weighted`: the cluster of a request.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use spillgate_core::{
    model::Metadata,
    names::Names,
    route::{ClusterName, HeaderMutations, RouteMatch, SplitBy, WeightedCluster, WeightedClusters},
};

use crate::{
    envoy::read_match,
    proto::{Message, Report, Schema, nearest},
};

/// A rule of `targets`: a route match and a cluster.
pub(super) static TARGET: Schema = Schema::new("targets[]", "match cluster");
/// An entry of `weighted`: a cluster and its weight.
pub(super) static WEIGHTED: Schema = Schema::new("weighted[]", "cluster weight");

/// The cluster to balance.
#[derive(Debug, Clone, PartialEq)]
pub enum TargetConfig {
    /// Always this one (`target`).
    Always(String),
    /// The cluster of the first matching rule (`targets`).
    FirstMatch(Vec<TargetRule>),
    /// One of these, by weight (`weighted`).
    Weighted(WeightedClusters),
}

/// One rule of `targets`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetRule {
    /// Matches the request if any of these matches.
    pub matches: Vec<RouteMatch>,
    /// The cluster.
    pub cluster: String,
}

/// Reads the target; `None` after an error.
pub fn read_target(
    parent: &Message<'_, '_>,
    clusters: &Names,
    report: &mut Report,
) -> Option<TargetConfig> {
    for pair in [
        ["target", "targets"],
        ["target", "weighted"],
        ["targets", "weighted"],
    ] {
        parent.one_of(&pair, report);
    }
    if parent.has("target") {
        return known_cluster(parent, "target", clusters, report).map(TargetConfig::Always);
    }
    if parent.has("weighted") {
        return read_weighted(parent, clusters, report).map(TargetConfig::Weighted);
    }
    if !parent.has("targets") {
        parent
            .missing("target")
            .expected("a cluster name, or targets, or weighted")
            .push_to(report);
        return None;
    }
    let mut rules = Vec::new();
    for (path, node) in parent.list("targets", report) {
        let Some(rule) = Message::open(node, path, &TARGET, report) else {
            continue;
        };
        let cluster = known_cluster(&rule, "cluster", clusters, report);
        rule.require("match", report);
        let matches = rule
            .message("match", crate::envoy::route_match_schema(), report)
            .and_then(|message| read_match(&message, report))
            .map(|matcher| Vec::from([matcher]));
        if let (Some(cluster), Some(matches)) = (cluster, matches) {
            rules.push(TargetRule { matches, cluster });
        }
    }
    if rules.is_empty() && report.errors() == 0 {
        report.push(parent.error("targets", "config/missing", "empty targets"));
    }
    Some(TargetConfig::FirstMatch(rules))
}

fn read_weighted(
    parent: &Message<'_, '_>,
    clusters: &Names,
    report: &mut Report,
) -> Option<WeightedClusters> {
    let errors = report.errors();
    let mut weighted = Vec::new();
    for (path, node) in parent.list("weighted", report) {
        let Some(message) = Message::open(node, path, &WEIGHTED, report) else {
            continue;
        };
        let cluster = known_cluster(&message, "cluster", clusters, report);
        if !message.has("weight") {
            report.push(message.error("weight", "config/missing", "cluster without a weight"));
        }
        let weight = message.u32("weight", report);
        if let (Some(cluster), Some(weight)) = (cluster, weight) {
            weighted.push(WeightedCluster {
                cluster: ClusterName::Name(cluster),
                weight,
                criteria: Metadata::default(),
                filters: None,
                headers: HeaderMutations::default(),
                host_rewrite: None,
            });
        }
    }
    if report.errors() > errors {
        return None;
    }
    let weighted = WeightedClusters::new(weighted, SplitBy::Random);
    if let Err(error) = &weighted {
        report.push(parent.error("weighted", "config/weight", error.to_string()));
    }
    weighted.ok()
}

fn known_cluster(
    message: &Message<'_, '_>,
    field: &'static str,
    clusters: &Names,
    report: &mut Report,
) -> Option<String> {
    let name = message.required_string(field, report)?;
    if !clusters.contains(name) {
        message
            .error(field, "config/unknown-cluster", "unknown cluster")
            .suggest(nearest(name, clusters.iter()))
            .push_to(report);
    }
    Some(name.into())
}
