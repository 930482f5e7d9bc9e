//! The polled metadata of a cluster's endpoints, as a worker has applied it.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_core::model::Priority;

/// The polled metadata of a cluster's endpoints, as a worker has applied it.
#[derive(Default)]
pub(super) struct PolledMetadata {
    /// When the query for the applied metadata was sent: nanoseconds since the Unix epoch; 0 before
    /// the first.
    pub(super) read_at: u64,
    /// Whether the last published metadata could be read.
    pub(super) readable: bool,
    /// The addresses that have left since that query, and when. If one comes back, it may be another
    /// host: it has no metadata until they are read again.
    left: BTreeMap<String, u64>,
}

impl PolledMetadata {
    /// Records that the metadata were read again, with a query at that time. Returns whether one of
    /// these hosts gets metadata by that.
    pub(super) fn read_again(&mut self, at: u64, hosts: &[Priority]) -> bool {
        self.read_at = at;
        if self.left.is_empty() {
            return false;
        }
        let addresses = addresses(hosts);
        let mut returned = false;
        self.left.retain(|address, left| {
            let remains = *left >= at;
            returned |= !remains && addresses.contains(&**address);
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
        for address in addresses(before).difference(&after) {
            if endpoints.contains(address) {
                self.left.insert(address.to_string(), at);
            }
        }
    }

    /// The endpoints whose metadata are current.
    pub(super) fn current(&self, endpoints: &[Priority]) -> Vec<Priority> {
        let mut current = endpoints.to_vec();
        for priority in &mut current {
            let left = |address: &str| self.left.contains_key(address);
            priority
                .endpoints
                .retain(|endpoint| !left(&endpoint.address));
        }
        current
    }

    /// Whether some address has left since the metadata were read.
    pub(super) fn has_gaps(&self) -> bool {
        !self.left.is_empty()
    }
}

fn addresses(priorities: &[Priority]) -> BTreeSet<&str> {
    let endpoints = priorities.iter().flat_map(|priority| &priority.endpoints);
    endpoints.map(|endpoint| &*endpoint.address).collect()
}
