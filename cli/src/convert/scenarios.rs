//! The health of endpoints that a conversion is evaluated for: as given, and while the local zone
//! loses half or all of its hosts.

use spillgate_config::mesh::OutboundCluster;
use spillgate_core::model::HealthStatus;
use spillgate_mesh::MeshHost;

/// Hosts of a cluster with other health.
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) hosts: Vec<MeshHost>,
}

/// The scenarios of a cluster, as seen from a zone.
pub(super) fn scenarios(cluster: &OutboundCluster, zone: &str) -> Vec<Scenario> {
    let local: Vec<usize> = cluster
        .zones
        .iter()
        .enumerate()
        .filter(|(_, of)| *of == zone)
        .map(|(at, _)| at)
        .collect();
    let mut all = vec![Scenario {
        name: "as given",
        hosts: cluster.hosts.clone(),
    }];
    if local.is_empty() {
        return all;
    }
    // Hosts are lost from the end, half of them rounded up.
    let half = local.len() / 2;
    let lost = |kept: usize| {
        let mut hosts = cluster.hosts.clone();
        for &at in local.iter().skip(kept) {
            if let Some(host) = hosts.get_mut(at) {
                host.health = HealthStatus::Unhealthy;
            }
        }
        hosts
    };
    if local.len() > 1 {
        all.push(Scenario {
            name: "half of the local zone lost",
            hosts: lost(half),
        });
    }
    all.push(Scenario {
        name: "local zone lost",
        hosts: lost(0),
    });
    all
}
