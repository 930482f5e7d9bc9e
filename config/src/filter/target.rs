//! `target` and `targets`: which cluster a request is for.

use alloc::{string::String, vec::Vec};

use spillgate_core::{names::Names, route::RouteMatch};

use crate::{
    envoy::read_match,
    proto::{Message, Report, Schema, nearest},
};

static TARGET: Schema = Schema::new("targets[]", &["match", "cluster"]);

/// Which cluster is balanced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Always this one (`target`).
    Always(String),
    /// That of the first rule that matches (`targets`).
    FirstMatch(Vec<TargetRule>),
}

/// One rule of `targets`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetRule {
    /// The requests that it is for: those that any of these matches.
    pub matches: Vec<RouteMatch>,
    /// The cluster.
    pub cluster: String,
}

/// Reads the target; `None` after an error.
pub(super) fn read_target(
    parent: &Message<'_, '_>,
    clusters: &Names,
    report: &mut Report,
) -> Option<Target> {
    parent.one_of(&["target", "targets"], report);
    if parent.has("target") {
        return known_cluster(parent, "target", clusters, report).map(Target::Always);
    }
    if !parent.has("targets") {
        report.push(
            parent
                .error("target", "config/missing", "a required field is missing")
                .expected("the name of the cluster that is balanced, or targets"),
        );
        return None;
    }
    let mut rules = Vec::new();
    for (path, node) in parent.list("targets", report) {
        let Some(rule) = Message::open(node, path, &TARGET, report) else {
            continue;
        };
        let cluster = known_cluster(&rule, "cluster", clusters, report);
        if !rule.has("match") {
            report.push(rule.error("match", "config/missing", "a required field is missing"));
        }
        let matches = rule
            .message("match", crate::envoy::route_match_schema(), report)
            .and_then(|message| read_match(&message, report))
            .map(|matcher| Vec::from([matcher]));
        if let (Some(cluster), Some(matches)) = (cluster, matches) {
            rules.push(TargetRule { matches, cluster });
        }
    }
    if rules.is_empty() && report.errors() == 0 {
        report.push(parent.error("targets", "config/missing", "a list without targets"));
    }
    Some(Target::FirstMatch(rules))
}

fn known_cluster(
    message: &Message<'_, '_>,
    field: &'static str,
    clusters: &Names,
    report: &mut Report,
) -> Option<String> {
    let name = message.required_string(field, report)?;
    if !clusters.contains(name) {
        report.push(
            message
                .error(field, "config/unknown-cluster", "no cluster has this name")
                .suggest(nearest(name, clusters.iter())),
        );
    }
    Some(name.into())
}
