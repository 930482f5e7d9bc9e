//! The hash table of a priority.

use alloc::{vec, vec::Vec};

use crate::pick::{MaglevTable, Ring, WeightedHost, rendezvous};

/// A hash table: finds the host for a hash.
#[derive(Debug, Clone)]
pub struct HashTable {
    /// The table.
    pub kind: TableKind,
    /// The hosts with normalized weights, for bounded load; `None` without bounded load.
    pub bounded: Option<BoundedHosts>,
}

/// A ring, a Maglev table, or the hash of each host.
#[derive(Debug, Clone)]
pub enum TableKind {
    /// The ring of `RING_HASH`.
    Ring(Ring),
    /// The table of `MAGLEV`.
    Maglev(MaglevTable),
    /// The hosts of rendezvous hashing.
    Rendezvous(Vec<RendezvousHost>),
}

/// A host under rendezvous hashing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RendezvousHost {
    /// The index of the host in the priority.
    pub host: u32,
    /// The weight of the host.
    pub weight: u32,
    /// The hash of the host's key.
    pub key: u64,
}

/// The hosts of a table with normalized weights, in the order of bounded load.
#[derive(Debug, Clone)]
pub struct BoundedHosts {
    /// The hosts.
    pub hosts: Vec<WeightedHost>,
    /// For each host of the priority: the index in the list.
    indices: Vec<u32>,
}

impl BoundedHosts {
    pub(super) fn new(hosts: Vec<WeightedHost>, priority: usize) -> Self {
        let mut indices = vec![0; priority];
        for (at, weighted) in (0..).zip(&hosts) {
            if let Some(index) = indices.get_mut(weighted.host) {
                *index = at;
            }
        }
        Self { hosts, indices }
    }

    /// The index of a host that the table selected.
    #[must_use]
    pub fn index_of(&self, host: usize) -> usize {
        self.indices.get(host).copied().unwrap_or(0) as usize
    }

    /// The normalized weight at an index; 0 for an unknown index.
    #[must_use]
    pub fn weight(&self, index: usize) -> f64 {
        self.hosts.get(index).map_or(0.0, |host| host.weight)
    }
}

impl HashTable {
    /// The host for a hash. `attempt` counts the attempts of one choice from 0.
    #[must_use]
    pub fn lookup(&self, hash: u64, attempt: u32) -> Option<usize> {
        match &self.kind {
            TableKind::Ring(ring) => ring.lookup(hash, attempt),
            TableKind::Maglev(table) => table.lookup(hash, attempt),
            TableKind::Rendezvous(hosts) => {
                let scored = hosts.iter().map(|host| (host.key, host.weight));
                let index = rendezvous(scored, hash, attempt as usize)?;
                hosts.get(index).map(|host| host.host as usize)
            }
        }
    }
}
