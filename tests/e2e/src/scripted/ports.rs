//! The addresses of a batch of trials.

use std::net::SocketAddr;

/// The addresses of a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TrialPorts {
    /// Of the listener.
    pub(crate) service: u16,
    /// Of all hosts, each of which has an IP of its own.
    pub(crate) hosts: u16,
}

impl TrialPorts {
    /// The address of a host of the trial at this place of the batch.
    pub(crate) fn host(self, place: usize, host: usize) -> SocketAddr {
        SocketAddr::from(([127, 11, place as u8, host as u8 + 1], self.hosts))
    }

    /// The address of the host of all beacons.
    pub(crate) fn beacon(self) -> SocketAddr {
        SocketAddr::from(([127, 11, 255, 1], self.hosts))
    }
}
