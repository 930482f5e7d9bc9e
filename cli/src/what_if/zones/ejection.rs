//! A loss that only outlier detection notices, as seen from all zones.

use serde::Serialize;
use spillgate_config::{
    envoy::facts::most_ejected,
    mesh::{MeshZone, OutboundCluster},
};
use spillgate_core::model::HealthStatus;

use super::losses::{Lost, is_lost};

/// The requests that stay on lost hosts because outlier detection may not eject all of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct KeptFailures {
    /// The zone of the callers.
    pub(super) from: String,
    /// The destination.
    pub(super) destination: String,
    /// The percentage of these requests that reach lost hosts.
    pub(super) failed: f64,
}

/// The zones and destinations with such requests, if the lost hosts stay in the assignment.
pub(super) fn kept_failures(zones: &[MeshZone], lost: &[Lost]) -> Vec<KeptFailures> {
    let mut found = Vec::new();
    for (zone, lost) in zones.iter().zip(lost) {
        for destination in &zone.outbound.destinations {
            let rule = destination.default_rule().into_iter();
            let failed = rule.flat_map(|rule| rule.shares()).map(|(at, share)| {
                let cluster = zone.outbound.clusters.get(at);
                share * cluster.map_or(0.0, |cluster| kept(cluster, lost)) / 100.0
            });
            let failed: f64 = failed.sum();
            if failed > 0.0 {
                found.push(KeptFailures {
                    from: zone.name.clone(),
                    destination: destination.name.clone(),
                    failed,
                });
            }
        }
    }
    found
}

/// The percentage of a cluster's requests that reach lost hosts; 0 if outlier detection is off or can
/// eject all of them.
fn kept(cluster: &OutboundCluster, lost: &Lost) -> f64 {
    let outlier = cluster.settings.outlier_detection.as_ref();
    let Some(outlier) = outlier.filter(|outlier| outlier.ejects()) else {
        return 0.0;
    };
    let assigned = cluster.assignment.groups.iter();
    let hosts = assigned.map(|group| group.endpoints.len()).sum();
    let most = most_ejected(outlier.ejection_limit(), false, hosts);
    // Hosts without requests are not ejected.
    let before = cluster.shares().endpoints;
    let used = (0..cluster.hosts.len()).filter(|&at| {
        is_lost(cluster, at, lost) && before.get(at).is_some_and(|share| *share > 0.0)
    });
    let used: Vec<usize> = used.collect();
    let Some((ejected, kept)) = used.split_at_checked(most) else {
        return 0.0;
    };
    let mut hosts = cluster.hosts.clone();
    for &at in ejected {
        if let Some(host) = hosts.get_mut(at) {
            host.health = HealthStatus::Unhealthy;
        }
    }
    let after = cluster.shares_of(&cluster.assignment, &hosts).endpoints;
    kept.iter().filter_map(|&at| after.get(at)).sum()
}
