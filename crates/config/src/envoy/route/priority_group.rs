//! `PriorityGroupClusterSpecifier`: weighted clusters by the number of the attempt.

use alloc::{string::ToString as _, vec::Vec};

use spillgate_core::{
    model::Metadata,
    route::{ClusterName, HeaderMutations, WeightedCluster, WeightedClusters},
};

use super::{
    context::{ActionContext, check_cluster},
    weighted::read_split,
};
use crate::{
    envoy::facts::{RouteFacts, WeightedFacts},
    envoy::schema::{PRIORITY_GROUP, PRIORITY_GROUP_CLUSTER, PRIORITY_GROUPS},
    proto::{Any, Message, Report},
};

/// The type of the specifier.
pub(crate) const PRIORITY_GROUP_TYPE: &str = "envoy.extensions.router.cluster_specifiers.\
    priority_group.v3.PriorityGroupClusterSpecifier";

/// The clusters of the first attempt: the first group. A retry stays in its cluster unless
/// `refresh_cluster_on_retry` is set, which then uses the next group, and after all of them the last.
pub(super) fn read_priority_groups(
    any: Any<'_, '_>,
    refreshes: bool,
    criteria: &Metadata,
    context: &ActionContext<'_>,
    facts: &mut RouteFacts,
    report: &mut Report,
) -> Option<WeightedClusters> {
    let errors = report.errors();
    let message = any.open(&PRIORITY_GROUPS, report)?;
    let by = read_split(&message, report);
    let mut groups = Vec::new();
    for (path, node) in message.list("priority_groups", report) {
        if let Some(group) = Message::open(node, path, &PRIORITY_GROUP, report) {
            let mut entries = Vec::new();
            groups.push(read_group(&group, criteria, context, &mut entries, report));
            if groups.len() == 1 {
                facts.weighted = entries;
            }
        }
    }
    if groups.is_empty() {
        report.push(message.missing("priority_groups"));
    }
    if report.errors() > errors {
        return None;
    }
    let groups = groups
        .into_iter()
        .map(|group| WeightedClusters::new(group, by.clone()));
    let groups: Result<Vec<_>, _> = groups.collect();
    match groups {
        Ok(groups) => {
            let mut groups = groups.into_iter();
            let first = groups.next()?;
            let later = groups.filter(|_| refreshes).collect();
            Some(first.with_later(later))
        }
        Err(error) => {
            report.push(message.error("priority_groups", "config/weight", error.to_string()));
            None
        }
    }
}

fn read_group(
    group: &Message<'_, '_>,
    criteria: &Metadata,
    context: &ActionContext<'_>,
    facts: &mut Vec<WeightedFacts>,
    report: &mut Report,
) -> Vec<WeightedCluster> {
    let mut clusters = Vec::new();
    for (path, node) in group.list("clusters", report) {
        let Some(entry) = Message::open(node, path, &PRIORITY_GROUP_CLUSTER, report) else {
            continue;
        };
        let name = entry.required_string("cluster_name", report);
        let weight = entry.wrapped_u32("weight", report);
        if weight.is_none_or(|weight| weight == 0) {
            entry.out_of_range("weight", "at least 1", report);
        }
        let (Some(name), Some(weight)) = (name, weight) else {
            continue;
        };
        check_cluster(&entry, "cluster_name", name, context, report);
        facts.push(WeightedFacts::of(&entry));
        clusters.push(WeightedCluster {
            cluster: ClusterName::Name(name.into()),
            weight,
            criteria: criteria.clone(),
            filters: None,
            headers: HeaderMutations::default(),
            host_rewrite: None,
        });
    }
    clusters
}
