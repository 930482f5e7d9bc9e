//! Choosing within a priority alone: what a peer's balancer does, without priorities, panic and subsets.

use spillgate_core::{
    draw::{Draw as _, SplitMix64},
    hash::{mix, xxh64},
    load::HostClass,
    model::{HashFunction, MaglevConfig, Policy, RingHashConfig},
    pick::{MaglevTable, NormalizedWeights, Ring, Turns, of_all, of_choices},
    snapshot::{HashTable, HostsSource, PlainSnapshot, Snapshot},
    subset::SetChoice,
};

use crate::{Keys, Shape, address, model};

/// One priority and what chooses in it.
pub struct Within {
    snapshot: Snapshot,
    active: Vec<u32>,
    turns: Turns,
    draw: SplitMix64,
    keys: Keys,
}

/// A priority of a cluster of one.
const HEALTHY: (SetChoice, usize, HostsSource) =
    (SetChoice::Whole, 0, HostsSource::Class(HostClass::Healthy));

impl Within {
    /// A priority of `hosts` hosts.
    #[must_use]
    pub fn new(policy: Policy, hosts: usize) -> Self {
        let mut shape = Shape::new(policy, hosts);
        shape.priorities = 1;
        Self {
            snapshot: Snapshot::build(&model(vec![shape.cluster("c")])),
            active: active(hosts),
            turns: Turns::plain(0),
            draw: SplitMix64::new(1),
            keys: Keys::default(),
        }
    }

    fn plain(&self) -> &PlainSnapshot {
        let cluster = self.snapshot.cluster_id("c").expect("the cluster is there");
        self.snapshot.plain(cluster).expect("it has hosts")
    }

    /// Round robin.
    pub fn round_robin(mut self) -> impl FnMut() -> Option<usize> {
        let plain = self.plain().clone();
        move || {
            let (choice, priority, source) = HEALTHY;
            let hosts = plain.list(choice, priority, source);
            hosts.get(self.turns.pick(hosts.len(), |_| 1.0)?)
        }
    }

    /// Weighted round robin, with weights of 1 to 8.
    pub fn weighted_round_robin(mut self) -> impl FnMut() -> Option<usize> {
        let weights: Vec<f64> = weights(self.active.len());
        self.turns = Turns::weighted(&weights, 1, 0);
        let plain = self.plain().clone();
        move || {
            let (choice, priority, source) = HEALTHY;
            let hosts = plain.list(choice, priority, source);
            hosts.get(self.turns.pick(hosts.len(), |place| weights[place])?)
        }
    }

    /// A host at random.
    pub fn random(mut self) -> impl FnMut() -> Option<usize> {
        let plain = self.plain().clone();
        move || {
            let (choice, priority, source) = HEALTHY;
            let hosts = plain.list(choice, priority, source);
            hosts.get(self.draw.draw().checked_rem(hosts.len() as u64)? as usize)
        }
    }

    /// The better of two random hosts.
    pub fn least_request(mut self) -> impl FnMut() -> Option<usize> {
        let plain = self.plain().clone();
        move || {
            let (choice, priority, source) = HEALTHY;
            let hosts = plain.list(choice, priority, source);
            let active = |place: usize| hosts.get(place).map_or(0, |host| self.active[host]);
            hosts.get(of_choices(hosts.len(), 2, active, || self.draw.draw())?)
        }
    }

    /// The best of all hosts.
    pub fn full_scan(mut self) -> impl FnMut() -> Option<usize> {
        let plain = self.plain().clone();
        move || {
            let (choice, priority, source) = HEALTHY;
            let hosts = plain.list(choice, priority, source);
            let active = |place: usize| hosts.get(place).map_or(0, |host| self.active[host]);
            hosts.get(of_all(hosts.len(), active, || self.draw.draw())?)
        }
    }

    /// The table's host for a key that is hashed first: ring, maglev or rendezvous.
    pub fn by_hash(mut self) -> impl FnMut() -> Option<usize> {
        let plain = self.plain();
        let priority = plain.whole.priorities.first().expect("there is a priority");
        let table = priority.table.clone().expect("a hash policy has a table");
        move || HashTable::lookup(&table, xxh64(&self.keys.key(), 0), 0)
    }

    /// A ring with as many points for each host as the peers' have.
    #[must_use]
    pub fn ring_config(hosts: usize) -> RingHashConfig {
        const POINTS: u64 = 160;
        let size = POINTS * hosts as u64;
        RingHashConfig::new(size, size.max(1 << 20), HashFunction::XxHash)
            .expect("the size is legal")
    }
}

/// Builds a ring, as [`Snapshot::build`] does for a priority.
pub fn ring(hosts: usize) -> impl FnMut() -> Ring {
    let (config, addresses) = (Within::ring_config(hosts), addresses(hosts));
    move || {
        let weights = NormalizedWeights::flat((0..hosts).map(|host| (host, 1)));
        Ring::build(&config, &weights, |host| &addresses[host])
    }
}

/// Builds a maglev table of Envoy's default size.
pub fn maglev(hosts: usize) -> impl FnMut() -> MaglevTable {
    let addresses = addresses(hosts);
    move || {
        let weights = NormalizedWeights::flat((0..hosts).map(|host| (host, 1)));
        MaglevTable::build(MaglevConfig::default(), &weights, |host| &addresses[host])
    }
}

/// Active requests of each host.
#[must_use]
pub fn active(hosts: usize) -> Vec<u32> {
    (0..hosts)
        .map(|host| mix(host as u64) as u32 % 16)
        .collect()
}

/// A weight of 1 to 8 for each host.
#[must_use]
pub fn weights(hosts: usize) -> Vec<f64> {
    (0..hosts)
        .map(|host| (mix(host as u64) % 8 + 1) as f64)
        .collect()
}

fn addresses(hosts: usize) -> Vec<String> {
    (0..hosts).map(address).collect()
}
