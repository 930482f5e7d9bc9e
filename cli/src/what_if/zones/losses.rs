//! Which endpoints a loss selects, as seen from one zone.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_config::mesh::{MeshOutbound, OutboundCluster};
use spillgate_core::model::{
    Endpoint, Health, HealthStatus, Metadata, Model, PlainCluster, Priority,
};
use spillgate_sim::{Loss, Scene, SpecFault, fleet::locality_of_zone};

/// Lost endpoints, by zone and address.
pub(super) type Lost = BTreeSet<(String, String)>;

/// The endpoints of a view as one cluster: losses do not depend on priorities.
pub(super) struct LossScene {
    scene: Scene,
    /// Zone and address of each host.
    hosts: Vec<(String, String)>,
}

/// The name of the cluster.
const CLUSTER: &str = "mesh";

impl LossScene {
    /// The endpoints of all clusters, each once, in document order. `None` without endpoints.
    pub(super) fn new(outbound: &MeshOutbound) -> Option<Self> {
        let mut hosts: Vec<(String, String)> = Vec::new();
        let mut known = BTreeSet::new();
        let mut priority = Priority::default();
        for cluster in used(outbound) {
            for (host, zone) in cluster.hosts.iter().zip(&cluster.zones) {
                let place = (zone.clone(), host.address.clone());
                if !known.insert(place.clone()) {
                    continue;
                }
                let locality = priority.locality_index(locality_of_zone(zone));
                priority.endpoints.push(Endpoint {
                    health: Health::from_status(host.health),
                    locality,
                    ..Endpoint::new(host.address.as_str())
                });
                hosts.push(place);
            }
        }
        let plain = PlainCluster {
            priorities: vec![priority],
            ..PlainCluster::default()
        };
        let scene = Scene::new(&Model::single(CLUSTER, plain), CLUSTER, Metadata::EMPTY)?;
        (!hosts.is_empty()).then_some(Self { scene, hosts })
    }

    /// The endpoints that one loss takes.
    pub(super) fn lost(&self, loss: &Loss) -> Result<Lost, Vec<SpecFault>> {
        let lost = self.scene.lost(std::slice::from_ref(loss))?;
        let places = lost.iter().filter_map(|of| self.hosts.get(of.host));
        Ok(places.cloned().collect())
    }
}

/// The clusters that the destinations use.
fn used(outbound: &MeshOutbound) -> impl Iterator<Item = &OutboundCluster> {
    let rules = outbound.destinations.iter().flat_map(|of| &of.rules);
    let splits = rules.flat_map(|rule| &rule.splits);
    let used: BTreeSet<usize> = splits.map(|split| split.cluster).collect();
    used.into_iter().filter_map(|at| outbound.clusters.get(at))
}

/// Makes the lost endpoints of a cluster unhealthy.
pub(super) fn lose(cluster: &mut OutboundCluster, lost: &Lost) {
    let found = (0..cluster.hosts.len()).map(|at| is_lost(cluster, at, lost));
    let found: Vec<bool> = found.collect();
    for (host, _) in cluster
        .hosts
        .iter_mut()
        .zip(found)
        .filter(|(_, lost)| *lost)
    {
        host.health = HealthStatus::Unhealthy;
    }
}

/// Whether an endpoint of a cluster is lost.
pub(super) fn is_lost(cluster: &OutboundCluster, at: usize, lost: &Lost) -> bool {
    lost.contains(&(cluster.zone(at).into(), cluster.address(at).into()))
}

/// All endpoints of some zones.
pub(super) fn all_of(outbound: &MeshOutbound, zones: &[&str]) -> Lost {
    let mut lost = Lost::new();
    for cluster in used(outbound) {
        for (host, zone) in cluster.hosts.iter().zip(&cluster.zones) {
            if zones.contains(&zone.as_str()) {
                lost.insert((zone.clone(), host.address.clone()));
            }
        }
    }
    lost
}

/// The number of endpoints that are lost in each zone, and of all its endpoints, over all views.
pub(super) fn counts(outbound: &MeshOutbound, lost: &Lost) -> BTreeMap<String, (usize, usize)> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for cluster in used(outbound) {
        for (host, zone) in cluster.hosts.iter().zip(&cluster.zones) {
            let place = (zone.clone(), host.address.clone());
            let count = counts.entry(zone.clone()).or_default();
            if known.insert(place.clone()) {
                count.0 += usize::from(lost.contains(&place));
                count.1 += 1;
            }
        }
    }
    counts
}
