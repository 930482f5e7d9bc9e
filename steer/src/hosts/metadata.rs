//! The polled metadata of a cluster's endpoints, as a worker has applied it.

use alloc::{string::String, vec::Vec};

use spillgate_core::{model::Priority, names::Names};

/// The polled metadata of a cluster's endpoints, as a worker has applied it.
#[derive(Default)]
pub(super) struct PolledMetadata {
    /// When the query for the applied metadata was sent: 0 before
    /// the first.
    pub(super) read_at: u64,
    /// Whether the last published metadata could be read.
    pub(super) readable: bool,
    /// The addresses that have left since that query, and when. If one comes back, it may be another
    /// host: it has no metadata until they are read again.
    left: Vec<(String, u64)>,
}

impl PolledMetadata {
    /// Records that the metadata were read again, with a query at that time. Returns whether one of
    /// these hosts may get metadata by that.
    pub(super) fn read_again(&mut self, at: u64, hosts: &[Priority]) -> bool {
        self.read_at = at;
        if self.left.is_empty() {
            return false;
        }
        let hosts = addresses(hosts);
        let mut returned = false;
        self.left.retain(|(address, left)| {
            let remains = *left >= at;
            returned |= !remains && hosts.contains(address);
            remains
        });
        returned
    }

    /// Records which of the hosts have left at that time. Others than `endpoints` have no metadata.
    pub(super) fn replaced(
        &mut self,
        endpoints: &[Priority],
        (before, after): (&[Priority], &[Priority]),
        at: u64,
    ) {
        let (after, endpoints) = (addresses(after), addresses(endpoints));
        let before = before.iter().flat_map(|priority| &priority.endpoints);
        let mut gone = Names::default();
        for address in before.map(|endpoint| &endpoint.address) {
            if !after.contains(address) && endpoints.contains(address) {
                gone.add(address);
            }
        }
        if !gone.is_empty() {
            self.left.retain(|(address, _)| !gone.contains(address));
            self.left
                .extend(gone.iter().map(|address| (address.into(), at)));
        }
    }

    /// Removes the endpoints whose metadata may be those of another host.
    pub(super) fn keep_current(&self, endpoints: &mut [Priority]) {
        let mut left = Names::default();
        for (address, _) in &self.left {
            left.add(address);
        }
        for priority in endpoints {
            let endpoints = &mut priority.endpoints;
            endpoints.retain(|endpoint| !left.contains(&endpoint.address));
        }
    }

    /// Whether some address has left since the metadata were read.
    pub(super) fn has_gaps(&self) -> bool {
        !self.left.is_empty()
    }
}

fn addresses(priorities: &[Priority]) -> Names {
    let mut names = Names::default();
    for endpoint in priorities.iter().flat_map(|priority| &priority.endpoints) {
        names.add(&endpoint.address);
    }
    names
}
