//! The hash table of a level.

use alloc::{sync::Arc, vec, vec::Vec};

use super::{HostList, LevelSet, level_set::LevelContext};
use crate::{
    hash::xxh64,
    load::HostClass,
    model::Policy,
    pick::{MaglevTable, NormalizedWeights, Ring, WeightedHost, rendezvous},
};

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
    /// Its index in the level.
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
    /// By index in the level: the place in the list.
    places: Vec<u32>,
}

impl BoundedHosts {
    fn new(hosts: Vec<WeightedHost>, level: usize) -> Self {
        let mut places = vec![0; level];
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

    /// For uniformly distributed hashes whose residue modulo 100 is in `from..to`: percent of
    /// *all* hashes that reach each of `hosts` hosts.
    ///
    /// The level was chosen by the same hash modulo 100. A ring does not notice; nor does a maglev
    /// table whose size has no common factor with 100, and then both choices are independent.
    pub(super) fn percents(&self, from: u64, to: u64, hosts: usize) -> Vec<f64> {
        // Counted in whole numbers, so that each is rounded once and not at every addition.
        let mut counts = vec![0_u128; hosts];
        let mut give = |host: usize, count: u128| {
            if let Some(sum) = counts.get_mut(host) {
                *sum += count;
            }
        };
        let window = u128::from(to - from);
        let whole = match &self.kind {
            TableKind::Ring(ring) => {
                for (host, arc) in ring.arcs() {
                    give(host, arc * window);
                }
                1 << 64
            }
            TableKind::Maglev(table) => {
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
}

/// Hash tables hold the healthy hosts of a level, or all of them in panic; never degraded ones.
pub(super) fn build_table(
    context: &LevelContext<'_>,
    level: &LevelSet,
    panic: bool,
) -> Option<Arc<HashTable>> {
    let hosts = level.hosts(HostClass::Healthy, panic);
    let key = |host: usize| context.hosts.hash_key(host);
    let (kind, weights) = match &context.settings.policy {
        Policy::RingHash(config) => {
            let weights = weights(context, level, hosts);
            (TableKind::Ring(Ring::build(config, &weights, key)), weights)
        }
        Policy::Maglev(config) => {
            let weights = weights(context, level, hosts);
            let table = MaglevTable::build(*config, &weights, key);
            (TableKind::Maglev(table), weights)
        }
        Policy::Rendezvous => {
            let hashed = hosts.iter().map(|host| RendezvousHost {
                host: host as u32,
                weight: context.hosts.weight(host),
                key: xxh64(key(host).as_bytes(), 0),
            });
            let table = TableKind::Rendezvous(hashed.collect());
            // Localities do not count in it, so that a host's place depends on its own key alone.
            let weighted = hosts.iter().map(|host| (host, context.hosts.weight(host)));
            (table, NormalizedWeights::flat(weighted))
        }
        _ => return None,
    };
    let bounded = context.settings.hash_balance_factor;
    Some(Arc::new(HashTable {
        kind,
        bounded: bounded.map(|_| BoundedHosts::new(weights.hosts, context.hosts.len())),
    }))
}

fn weights(context: &LevelContext<'_>, level: &LevelSet, list: HostList<'_>) -> NormalizedWeights {
    let hosts = context.hosts;
    let weighted = |host: usize| (host, hosts.weight(host));
    let localities = match context.settings.locality_lb.is_weighted() {
        true => level.weights(context),
        false => Vec::new(),
    };
    let flat = || NormalizedWeights::flat(list.iter().map(weighted));
    if localities.is_empty() {
        return flat();
    }
    let in_locality = |place: usize| {
        list.iter()
            .filter(move |&host| hosts.locality_of(host) == Some(place))
            .map(weighted)
    };
    let by_place = localities.iter().enumerate();
    let by_place = by_place.map(|(place, &weight)| (weight, in_locality(place)));
    let found = NormalizedWeights::by_locality(by_place);
    // Hosts in localities without weight get nothing, but for want of any other.
    match found.hosts.is_empty() && context.settings.last_resort {
        true => flat(),
        false => found,
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
