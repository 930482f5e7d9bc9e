//! The shares of the hosts of a hash table.

use alloc::{vec, vec::Vec};

use crate::snapshot::{HashTable, TableKind};

/// The share of each of `hosts` hosts, in percent of all hashes, for uniformly distributed hashes
/// whose residue modulo 100 is in `from..to`.
///
/// The same hash modulo 100 selects the priority. This does not affect a ring, nor a Maglev table
/// whose size has no common factor with 100: both choices are then independent.
pub(super) fn percents(table: &HashTable, from: u64, to: u64, hosts: usize) -> Vec<f64> {
    // Integer counts, so that each share is rounded once and not at every addition.
    let mut counts = vec![0_u128; hosts];
    let mut give = |host: usize, count: u128| {
        if let Some(sum) = counts.get_mut(host) {
            *sum += count;
        }
    };
    let window = u128::from(to - from);
    let whole = match &table.kind {
        TableKind::Ring(ring) => {
            for (host, arc) in ring.arcs() {
                give(host, arc * window);
            }
            1 << 64
        }
        TableKind::Maglev(maglev) => {
            let slots = maglev.slots();
            let size = slots.len() as u64;
            let shared = gcd(100, size);
            // For each residue of a slot: the number of residues in the window that can meet it.
            let meeting: Vec<u128> = (0..shared)
                .map(|slot| (from..to).filter(|r| r % shared == slot).count() as u128)
                .collect();
            for (slot, &host) in slots.iter().enumerate() {
                let residue = (slot as u64).checked_rem(shared).unwrap_or(0);
                let meeting = meeting.get(residue as usize).copied().unwrap_or(0);
                give(host as usize, meeting * u128::from(shared));
            }
            // An empty table gives no shares.
            u128::from(size.max(1))
        }
        TableKind::Rendezvous(hosts) => {
            let sum: u128 = hosts.iter().map(|host| u128::from(host.weight)).sum();
            for host in hosts {
                give(host.host as usize, window * u128::from(host.weight));
            }
            sum.max(1)
        }
    };
    counts
        .into_iter()
        .map(|count| count as f64 / whole as f64)
        .collect()
}

/// The greatest common divisor; `gcd(a, 0)` is `a`.
pub(super) const fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
