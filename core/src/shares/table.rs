//! The shares of the hosts of a hash table.

use alloc::{vec, vec::Vec};

use super::maglev::MaglevChoices;
use crate::{
    pick::gcd,
    snapshot::{HashTable, RendezvousHost, TableKind},
};

/// A choice of one host in a table: the shares count the host of its last attempt.
pub(super) struct TableChoice<'a> {
    pub(super) table: &'a HashTable,
    /// The number of hosts of the priority.
    pub(super) hosts: usize,
    /// The maximum number of attempts.
    pub(super) attempts: u32,
    /// Whether a retry predicate rejects a host, so that the next attempt follows.
    pub(super) rejects: &'a dyn Fn(usize) -> bool,
}

/// The share of each host, in percent of all hashes, for uniformly distributed hashes whose residue
/// modulo 100 is in `from..to`.
///
/// On a ring, a further attempt moves on by one entry. In a Maglev table, it changes the hash
/// ([`MaglevChoices`]). Rendezvous hashing goes on with the host of the next lower score.
///
/// The same hash modulo 100 selects the priority. This does not affect a ring, nor a Maglev table
/// whose size has no common factor with 100: both choices are then independent.
pub(super) fn percents(choice: &TableChoice<'_>, from: u64, to: u64) -> Vec<f64> {
    // Integer counts, so that each share is rounded once and not at every addition.
    let mut counts = vec![0_u128; choice.hosts];
    let mut give = |host: usize, count: u128| {
        if let Some(sum) = counts.get_mut(host) {
            *sum += count;
        }
    };
    let window = u128::from(to - from);
    let whole = match &choice.table.kind {
        TableKind::Ring(ring) => {
            for (index, (first, arc)) in ring.arcs().enumerate() {
                let (mut host, mut attempt) = (first, 1);
                while attempt < choice.attempts && (choice.rejects)(host) {
                    host = ring.host_after(index, attempt).unwrap_or(first);
                    attempt += 1;
                }
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
    let shares = counts.into_iter().map(|count| count as f64 / whole as f64);
    let shares: Vec<f64> = shares.collect();
    match &choice.table.kind {
        TableKind::Ring(_) => shares,
        TableKind::Maglev(maglev) => {
            if choice.attempts < 2 || !(0..choice.hosts).any(choice.rejects) {
                return shares;
            }
            let chosen = MaglevChoices {
                slots: maglev.slots(),
                from,
                to,
                rejects: choice.rejects,
            };
            chosen.percents(choice.attempts, choice.hosts)
        }
        TableKind::Rendezvous(hosts) => choice.by_score(hosts, shares),
    }
}

impl TableChoice<'_> {
    /// The shares of rendezvous hashing after all attempts: the accepted host with the highest score,
    /// if the attempts suffice to reach it in any case. Otherwise the attempts count as independent.
    fn by_score(&self, hosts: &[RendezvousHost], mut shares: Vec<f64>) -> Vec<f64> {
        let rejected = |host: &RendezvousHost| (self.rejects)(host.host as usize);
        let count = hosts.iter().filter(|host| rejected(host)).count();
        let sum: f64 = shares.iter().sum();
        let again: f64 = (0..)
            .zip(&shares)
            .filter(|(h, _)| (self.rejects)(*h))
            .map(|(_, s)| s)
            .sum();
        let again = again / sum;
        if count == 0 || count == hosts.len() || self.attempts < 2 {
            return shares;
        }
        let (mut last, mut accepted) = (1.0, 1.0);
        for _ in 1..self.attempts {
            last *= again;
            accepted += last;
        }
        if self.attempts as usize > count {
            (last, accepted) = (0.0, 1.0 / (1.0 - again));
        }
        for (host, share) in shares.iter_mut().enumerate() {
            *share *= if (self.rejects)(host) { last } else { accepted };
        }
        shares
    }
}
