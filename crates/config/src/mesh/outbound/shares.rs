//! The shares of the endpoints of one cluster.

use alloc::{vec, vec::Vec};

use spillgate_core::{
    model::{LocalInfo, Metadata, Model},
    shares::Distribution,
    snapshot::Snapshot,
};
use spillgate_mesh::{MeshAssignment, MeshHost};

use super::OutboundCluster;

/// Where the requests of a cluster go, in percent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OutboundShares {
    /// The share of each endpoint.
    pub endpoints: Vec<f64>,
    /// The load of each priority, by its number.
    pub loads: Vec<u32>,
    /// The priorities with endpoints that are in panic mode.
    pub panics: Vec<usize>,
    /// The share of requests without a host.
    pub no_host: f64,
}

impl OutboundShares {
    /// The shares of an assignment of this number of endpoints, without loads.
    #[must_use]
    pub fn of(found: &Distribution, assignment: &MeshAssignment, endpoints: usize) -> Self {
        let mut shares = Self {
            endpoints: vec![0.0; endpoints],
            no_host: found.no_host,
            ..Self::default()
        };
        let places = places(assignment);
        for of in &found.shares {
            let at = places.get(of.priority).and_then(|of_p| of_p.get(of.host));
            if let Some(share) = at.and_then(|&at| shares.endpoints.get_mut(at)) {
                *share += of.share;
            }
        }
        shares
    }

    /// The load of the priorities in panic mode, in percent: requests that may go to failed hosts.
    #[must_use]
    pub fn panic_load(&self) -> u32 {
        let loads = self
            .panics
            .iter()
            .filter_map(|&number| self.loads.get(number));
        loads.sum()
    }
}

impl OutboundCluster {
    /// The shares of the assignment.
    #[must_use]
    pub fn shares(&self) -> OutboundShares {
        self.shares_of(&self.assignment, &self.hosts)
    }

    /// The shares of another assignment, or with other health. An assignment that Envoy rejects
    /// has no shares.
    #[must_use]
    pub fn shares_of(&self, assignment: &MeshAssignment, hosts: &[MeshHost]) -> OutboundShares {
        let none = || OutboundShares {
            endpoints: vec![0.0; hosts.len()],
            no_host: 100.0,
            ..OutboundShares::default()
        };
        let mut clusters = vec![self.model_of(assignment, hosts)];
        let local = self.settings.local.as_ref();
        clusters.extend(local.map(|local| local.cluster.clone()));
        let Ok(model) = Model::new(clusters) else {
            return none();
        };
        let info = local.map_or_else(LocalInfo::default, |local| local.info.clone());
        let snapshot = Snapshot::build(&model.with_local(info));
        let Some(id) = snapshot.cluster_id(&self.name) else {
            return none();
        };
        let found = snapshot.distribution_for(id, &Metadata::EMPTY, None);
        let mut shares = OutboundShares::of(&found, assignment, hosts.len());
        if let Some(plain) = snapshot.plain(id) {
            for (number, priority) in plain.priorities.iter().enumerate() {
                shares.loads.push(plain.whole.load.of_priority(number));
                if plain.whole.load.panics(number) && !priority.is_empty() {
                    shares.panics.push(number);
                }
            }
        }
        shares
    }
}

/// The endpoints of each priority, in the order of the cluster's hosts.
fn places(assignment: &MeshAssignment) -> Vec<Vec<usize>> {
    let mut places: Vec<Vec<usize>> = Vec::new();
    for group in &assignment.groups {
        let priority = group.priority as usize;
        if places.len() <= priority {
            places.resize_with(priority + 1, Vec::new);
        }
        if let Some(hosts) = places.get_mut(priority) {
            hosts.extend(&group.endpoints);
        }
    }
    places
}
