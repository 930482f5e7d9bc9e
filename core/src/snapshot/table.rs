//! The hash table of a priority.

use alloc::{vec, vec::Vec};

use crate::pick::{MaglevTable, Ring, WeightedHost, rendezvous};

/// What finds the host for a hash.
#[derive(Debug, Clone)]
pub struct HashTable {
    /// The table itself.
    pub kind: TableKind,
    /// The hosts with their parts of the load, where bounded load looks at them.
    pub bounded: Option<BoundedHosts>,
}

/// A ring, a maglev table, or just the hosts' hashes.
#[derive(Debug, Clone)]
pub enum TableKind {
    /// Of `RING_HASH`.
    Ring(Ring),
    /// Of `MAGLEV`.
    Maglev(MaglevTable),
    /// Of rendezvous hashing.
    Rendezvous(Vec<RendezvousHost>),
}

/// A host under rendezvous hashing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RendezvousHost {
    /// Its index in the priority.
    pub host: u32,
    /// Its weight.
    pub weight: u32,
    /// The hash of its key.
    pub key: u64,
}

/// The hosts of a table with their parts of the load, in the order of bounded load.
#[derive(Debug, Clone)]
pub struct BoundedHosts {
    /// The hosts.
    pub hosts: Vec<WeightedHost>,
    /// By index in the priority: the place in the list.
    places: Vec<u32>,
}

impl BoundedHosts {
    pub(super) fn new(hosts: Vec<WeightedHost>, priority: usize) -> Self {
        let mut places = vec![0; priority];
        for (at, weighted) in (0..).zip(&hosts) {
            if let Some(place) = places.get_mut(weighted.host) {
                *place = at;
            }
        }
        Self { hosts, places }
    }

    /// The place of a host that a table led to.
    #[must_use]
    pub fn place(&self, host: usize) -> usize {
        self.places.get(host).copied().unwrap_or(0) as usize
    }

    /// A host's part of the load; 0 for a place that nobody has.
    #[must_use]
    pub fn weight(&self, place: usize) -> f64 {
        self.hosts.get(place).map_or(0.0, |host| host.weight)
    }
}

impl HashTable {
    /// The host for a hash; `attempt` counts the tries of one choice from 0.
    #[must_use]
    pub fn lookup(&self, hash: u64, attempt: u32) -> Option<usize> {
        match &self.kind {
            TableKind::Ring(ring) => ring.lookup(hash, attempt),
            TableKind::Maglev(table) => table.lookup(hash, attempt),
            TableKind::Rendezvous(hosts) => {
                let scored = hosts.iter().map(|host| (host.key, host.weight));
                let place = rendezvous(scored, hash, attempt as usize)?;
                hosts.get(place).map(|host| host.host as usize)
            }
        }
    }
}
