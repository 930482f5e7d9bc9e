//! The health that `/clusters` of a proxy reports, applied to endpoints.

use spillgate_core::model::{CoarseHealth, Health, HealthStatus};
use spillgate_mesh::MeshHost;

use crate::clusters::ClusterStatus;

/// Sets the health of the hosts of a cluster from a `/clusters` response; returns how many hosts it
/// reports. A host that the cluster does not list keeps its health. Without a cluster of this name,
/// the addresses decide alone: another proxy may name its clusters differently.
pub fn apply_health<'h>(
    cluster: &str,
    hosts: impl Iterator<Item = &'h mut MeshHost>,
    statuses: &[ClusterStatus<'_>],
) -> usize {
    let own = statuses.iter().find(|status| status.name == cluster);
    let from = own.map_or(statuses, core::slice::from_ref);
    let mut applied = 0;
    for host in hosts {
        let mut reported = from.iter().flat_map(|status| &status.hosts);
        let found = reported.find(|status| status.address == host.address.as_str());
        if let Some(health) = found.and_then(|status| status.health) {
            host.health = status(health);
            applied += 1;
        }
    }
    applied
}

/// The EDS status with the same effect on load balancing.
fn status(health: Health) -> HealthStatus {
    if health.excluded() {
        return HealthStatus::Draining;
    }
    match health.coarse() {
        CoarseHealth::Healthy => HealthStatus::Healthy,
        CoarseHealth::Degraded => HealthStatus::Degraded,
        CoarseHealth::Unhealthy => HealthStatus::Unhealthy,
    }
}
