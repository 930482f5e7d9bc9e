//! Hosts that join, leave and change their health while a proxy runs.

use alloc::vec::Vec;

use spillgate_core::model::{Health, Priority};

use super::HostStatus;
use crate::envoy::{HostPlace, Priorities, health_of};

/// The priorities of a cluster in a running Envoy, and the place of each host of the response.
#[derive(Debug)]
pub struct LiveHosts {
    /// The priorities.
    pub priorities: Vec<Priority>,
    places: Vec<HostPlace>,
}

impl LiveHosts {
    /// Applies the hosts of a response to configured priorities. The configuration provides
    /// metadata, locality weights and other data that `/clusters` omits.
    #[must_use]
    pub fn new(configured: &[Priority], hosts: &[HostStatus<'_>]) -> Self {
        let Priorities {
            priorities, places, ..
        } = Priorities::of(configured, None, hosts);
        Self { priorities, places }
    }

    /// The priority and index of a host, by its index in the response.
    #[must_use]
    pub fn place(&self, at: usize) -> Option<(usize, usize)> {
        let place = self.places.get(at)?;
        Some((place.priority as usize, place.host as usize))
    }

    /// The health of a host after a later response reports `reported`.
    #[must_use]
    pub fn health(&self, at: usize, reported: Health) -> Health {
        health_of(
            reported,
            self.places.get(at).and_then(|place| place.configured),
        )
    }
}
