//! Hosts that come and go, and change their health, while a proxy runs.

use alloc::vec::Vec;

use spillgate_core::model::{Health, Priority};

use super::{
    HostStatus,
    priorities::{HostPlace, Priorities, health_of},
};

/// The priorities of a cluster as a running Envoy has them, and where each host of its answer went.
#[derive(Debug)]
pub struct LiveHosts {
    /// The priorities.
    pub priorities: Vec<Priority>,
    places: Vec<HostPlace>,
}

impl LiveHosts {
    /// Lays the hosts of an answer over the priorities of a configuration, which gives metadata,
    /// locality weights and whatever else `/clusters` does not tell.
    #[must_use]
    pub fn new(configured: &[Priority], hosts: &[HostStatus<'_>]) -> Self {
        let Priorities {
            priorities, places, ..
        } = Priorities::of(configured, None, hosts);
        Self { priorities, places }
    }

    /// The priority and the number of a host of the answer, by its place there.
    #[must_use]
    pub fn place(&self, at: usize) -> Option<(usize, usize)> {
        let place = self.places.get(at)?;
        Some((place.priority as usize, place.host as usize))
    }

    /// What a host's health comes to when a later answer tells this.
    #[must_use]
    pub fn health(&self, at: usize, told: Health) -> Health {
        health_of(told, self.places.get(at).and_then(|place| place.configured))
    }
}
