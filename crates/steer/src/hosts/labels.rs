//! Which hosts the polled metadata describe.
//!
//! A host is known by its address, and a control plane can give an address to another owner. So the
//! metadata of a cluster are valid only for the hosts that they were read with: every change of the
//! hosts that a poll shows makes them unknown, until it is proved that they were read after it.
//! Either their query was sent after the change was published, or they list exactly the new hosts,
//! and their query was sent after the old hosts were published.
//!
//! `/config_dump` may be polled rarely, so metadata can be old while health is new. The poller
//! publishes when it sent the query that returned them, because an address may have left before the
//! response arrived, and its interval, which only it knows. A counter of a host that goes backwards
//! is a change of the hosts too. A poll asks for metadata before it asks for hosts, so added hosts
//! cause no pause.

use alloc::{borrow::Cow, vec::Vec};

use spillgate_config::{
    clusters::{HostTotals, Published},
    envoy::read_priorities,
};
use spillgate_core::{
    model::{Priority, Weight},
    order::order,
};

use super::shared::Versions;

/// What a poller knows about the last change of a cluster's hosts.
#[derive(Default)]
pub(super) struct LastChange {
    /// Metadata that list the present hosts were read after the change, if their query is newer than
    /// this version.
    since: u64,
    /// The version of the hosts with these counters.
    counted: u64,
    totals: Vec<HostTotals>,
}

impl LastChange {
    /// Whether a counter went backwards since the last poll, so that another host has the same
    /// address. `present` is the version of the published hosts.
    pub(super) fn shows_restart(&self, present: u64, totals: &[HostTotals]) -> bool {
        let mut pairs = self.totals.iter().zip(totals);
        // Counters of other hosts cannot be compared.
        self.counted == present
            && pairs.any(|(before, after)| {
                // Envoy's counters of a host never decrease while the host exists.
                after.requests < before.requests || after.connections < before.connections
            })
    }

    /// Remembers the counters of the hosts of this version.
    pub(super) fn count(&mut self, version: u64, totals: Vec<HostTotals>) {
        (self.counted, self.totals) = (version, totals);
    }

    /// Records hosts of another poller: what they replaced is unknown.
    pub(super) const fn adopt(&mut self, version: u64) {
        self.since = version;
    }

    /// Records that hosts of version `after` replace those of `before`.
    pub(super) fn replace(&mut self, before: Versions, after: u64, lists: [&Published; 2]) {
        let is_polled = before.hosts == 0 || before.metadata_at > 0;
        let [old, new] = lists;
        // Metadata do not show a change of what they do not contain.
        let shows = is_polled
            && match (places_of_hosts(old), places_of_hosts(new)) {
                (Some(old), Some(new)) => !are_same(&old, &new),
                _ => false,
            };
        self.since = if shows { before.hosts } else { after };
    }

    /// The version of the hosts that the metadata describe, if they are those of `versions`.
    pub(super) fn described(&self, versions: Versions, json: &str, hosts: &Published) -> u64 {
        let read_after = versions.metadata_at > versions.hosts;
        let list = || {
            let listed = read_priorities(json, false).ok()?;
            let present = places_of_hosts(hosts)?;
            Some(are_same(&places_of_metadata(&listed), &present))
        };
        if read_after || versions.metadata_at > self.since && list() == Some(true) {
            versions.hosts
        } else {
            versions.described
        }
    }
}

/// A host as both responses have it: priority, address, weight.
type Place<'a> = (u32, Cow<'a, str>, u32);

/// The places of hosts; `None` if they cannot be read.
fn places_of_hosts(of: &Published) -> Option<Vec<Place<'_>>> {
    let mut places = Vec::with_capacity(of.health.len() / 2);
    Published::read_each(&of.hosts, &of.health, &mut |host| {
        let weight = host.weight.map_or(1, Weight::get);
        places.push((host.priority.unwrap_or(0), host.address, weight));
    })?;
    Some(places)
}

/// The same of endpoints in `/config_dump`.
fn places_of_metadata(priorities: &[Priority]) -> Vec<Place<'_>> {
    let numbered = (0..).zip(priorities);
    let places = numbered.flat_map(|(number, of)| {
        let endpoints = of.endpoints.iter();
        endpoints.map(move |endpoint| {
            let address = Cow::Borrowed(&*endpoint.address);
            (number, address, endpoint.weight.get())
        })
    });
    places.collect()
}

/// Whether two lists have the same places, in any order.
fn are_same(one: &[Place<'_>], other: &[Place<'_>]) -> bool {
    one.len() == other.len() && {
        let pairs = in_order(one).into_iter().zip(in_order(other));
        pairs.into_iter().all(|(a, b)| one.get(a) == other.get(b))
    }
}

/// The indices of places in their order. Not inlined: a rare call, twice.
#[inline(never)]
fn in_order(places: &[Place<'_>]) -> Vec<usize> {
    order(places.len(), &|a, b| places.get(a).cmp(&places.get(b)))
}
