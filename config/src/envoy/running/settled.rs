//! Warnings about a configuration without the hosts of a running Envoy.

use alloc::vec::Vec;

use spillgate_core::model::Priority;

use crate::Diagnostic;

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

/// Whether the priorities have hosts.
pub(crate) fn has_hosts(priorities: &[Priority]) -> bool {
    priorities
        .iter()
        .any(|priority| !priority.endpoints.is_empty())
}
