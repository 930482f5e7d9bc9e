//! Hosts that come and go, and change their health, while a proxy runs.

use alloc::vec::Vec;

use spillgate_core::model::{Health, Level};

use super::{
    HostStatus,
    levels::{HostPlace, Levels, health_of},
};

/// The levels of a cluster as a running Envoy has them, and where each host of its answer went.
#[derive(Debug)]
pub struct LiveHosts {
    /// The levels.
    pub levels: Vec<Level>,
    places: Vec<HostPlace>,
}

impl LiveHosts {
    /// Lays the hosts of an answer over the levels of a configuration, which gives metadata,
    /// locality weights and whatever else `/clusters` does not tell.
    #[must_use]
    pub fn new(configured: &[Level], hosts: &[HostStatus<'_>]) -> Self {
        let Levels { levels, places, .. } = Levels::of(configured, None, hosts);
        Self { levels, places }
    }

    /// The level and the number of a host of the answer, by its place there.
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
