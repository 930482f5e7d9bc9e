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
        // Counted in whole numbers, so that each part is rounded once and not at every addition.
        let mut counts = vec![0_u128; hosts];
        let mut give = |host: usize, count: u128| {
            if let Some(sum) = counts.get_mut(host) {
                *sum += count;
            }
        };
        let whole = match self {
            Self::Ring(ring) => {
                let window = u128::from(to - from);
                for (host, arc) in ring.arcs() {
                    give(host, arc * window);
                }
                100 << 64
            }
            Self::Maglev(table) => {
                let slots = table.slots();
                let size = slots.len() as u64;
                let shared = gcd(100, size);
                // Of the residues in the window, how many can meet a slot of each residue.
                let meeting: Vec<u128> = (0..shared)
                    .map(|slot| (from..to).filter(|r| r % shared == slot).count() as u128)
                    .collect();
                for (slot, &host) in slots.iter().enumerate() {
                    let residue = (slot as u64).checked_rem(shared).unwrap_or(0);
                    let meeting = meeting.get(residue as usize).copied().unwrap_or(0);
                    give(host as usize, meeting * u128::from(shared));
                }
                // An empty table gives nothing to nobody.
                u128::from(100 * size.max(1))
            }
        };
        counts
            .into_iter()
            .map(|count| count as f64 / whole as f64)
            .collect()
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
