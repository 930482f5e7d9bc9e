//! The hosts of a simulated cluster, and which of them are equal.

use alloc::{string::String, vec::Vec};

use spillgate_core::{
    model::Health,
    snapshot::{HostRef, Snapshot},
};
use spillgate_sim::Scene;

/// All hosts of a cluster, or of the members of an aggregate, in configuration order.
#[derive(Debug, Clone)]
pub(crate) struct Cast {
    hosts: Vec<CastHost>,
}

/// A host of the configuration.
#[derive(Debug, Clone)]
pub(crate) struct CastHost {
    /// Its place in the configuration.
    pub(crate) at: HostRef,
    pub(crate) address: String,
    /// Its health in the configuration.
    pub(crate) health: Health,
    /// The index of its locality in its priority.
    pub(crate) locality: usize,
    pub(crate) weight: u32,
}

impl Cast {
    pub(crate) fn new(scene: &Scene) -> Self {
        let snapshot = scene.snapshot();
        let hosts = scene.hosts().iter();
        Self {
            hosts: hosts.filter_map(|at| host_of(snapshot, *at)).collect(),
        }
    }

    pub(crate) fn hosts(&self) -> &[CastHost] {
        &self.hosts
    }

    pub(crate) fn len(&self) -> usize {
        self.hosts.len()
    }

    /// The number of a host of the configuration.
    pub(crate) fn number(&self, at: HostRef) -> Option<usize> {
        self.hosts.binary_search_by(|host| host.at.cmp(&at)).ok()
    }

    pub(crate) fn address(&self, number: usize) -> &str {
        self.hosts.get(number).map_or("", |host| &host.address)
    }
}

fn host_of(snapshot: &Snapshot, at: HostRef) -> Option<CastHost> {
    let priority = snapshot.plain(at.cluster)?.priorities.get(at.priority)?;
    let endpoint = priority.endpoint(at.host)?;
    Some(CastHost {
        at,
        address: endpoint.address.clone(),
        health: priority.health(at.host),
        locality: endpoint.locality,
        weight: priority.weight(at.host),
    })
}
