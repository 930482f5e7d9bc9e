//! Warnings about a configuration without the hosts of a running Envoy.

use alloc::vec::Vec;

use spillgate_core::model::Priority;

use crate::{Affects, Diagnostic, envoy::discovery::HOSTS_UNKNOWN};

/// The warnings that no longer apply once all hosts are known.
const SETTLED: [&str; 4] = [
    "config/dns-name",
    "config/dump-health",
    "config/eds-endpoints",
    "config/no-endpoints",
];

/// Removes the warnings that no longer apply because a running Envoy reported the hosts of all clusters.
pub(crate) fn settle(warnings: &mut Vec<Diagnostic>) {
    warnings.retain(|warning| !SETTLED.contains(&warning.code));
}

/// Removes the limits about hosts that a running Envoy reported, cluster by cluster: `known` decides
/// whether the hosts of a cluster are known by now.
pub(crate) fn settle_clusters(warnings: &mut Vec<Diagnostic>, known: impl Fn(&str) -> bool) {
    const OF_CLUSTER: [&str; 2] = [HOSTS_UNKNOWN, "config/eds-endpoints"];
    warnings.retain(|warning| match &warning.affects {
        Affects::Cluster(name) if OF_CLUSTER.contains(&warning.code) => !known(name),
        _ => true,
    });
}

/// Whether the priorities have hosts.
pub(crate) fn has_hosts(priorities: &[Priority]) -> bool {
    priorities
        .iter()
        .any(|priority| !priority.endpoints.is_empty())
}
