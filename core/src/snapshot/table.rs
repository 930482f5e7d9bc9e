//! The hash table of a level.

use alloc::{vec, vec::Vec};

use crate::pick::{MaglevTable, Ring};

/// A ring or a maglev table.
#[derive(Debug, Clone)]
pub enum HashTable {
    /// Of `RING_HASH`.
    Ring(Ring),
    /// Of `MAGLEV`.
    Maglev(MaglevTable),
}

impl HashTable {
    /// The host for a hash; `attempt` counts the tries of a request from 0.
    #[must_use]
    pub fn lookup(&self, hash: u64, attempt: u32) -> Option<usize> {
        match self {
            Self::Ring(ring) => ring.lookup(hash, attempt),
            Self::Maglev(table) => table.lookup(hash, attempt),
        }
    }

    /// For uniformly distributed hashes whose residue modulo 100 is in `from..to`: the part of
    /// *all* hashes that reaches each of `hosts` hosts.
    ///
    /// The level was chosen by the same hash modulo 100. A ring does not notice; nor does a maglev
    /// table whose size has no common factor with 100, and then both choices are independent.
    pub(super) fn parts(&self, from: u64, to: u64, hosts: usize) -> Vec<f64> {
        let mut parts = vec![0.0; hosts];
        let mut give = |host: usize, part: f64| {
            if let Some(sum) = parts.get_mut(host) {
                *sum += part;
            }
        };
        let window = (to - from) as f64 / 100.0;
        match self {
            Self::Ring(ring) => {
                for (host, part) in ring.parts() {
                    give(host, part * window);
                }
            }
            Self::Maglev(table) => {
                let slots = table.slots();
                let size = slots.len() as u64;
                let shared = gcd(100, size);
                for (slot, &host) in slots.iter().enumerate() {
                    // Of the residues in the window, those that can meet this slot.
                    let meeting = (from..to)
                        .filter(|residue| residue % shared == slot as u64 % shared)
                        .count();
                    give(
                        host as usize,
                        meeting as f64 * shared as f64 / (100.0 * size as f64),
                    );
                }
            }
        }
        parts
    }
}

/// The greatest common divisor; `gcd(a, 0)` is `a`.
pub(super) const fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
