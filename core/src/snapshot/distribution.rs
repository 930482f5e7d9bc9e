//! The exact shares that many requests come to.

use alloc::vec::Vec;

use super::{ClusterId, Kind, PlainSnapshot, Snapshot, table::gcd};
use crate::{
    load::{HostClass, choose_priority},
    model::Policy,
};

/// Where the requests for a cluster go, in percent of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Distribution {
    /// How many find no host.
    pub no_host: f64,
    /// Who gets the rest; hosts that get nothing are left out.
    pub shares: Vec<Share>,
}

/// The share of one host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The cluster that owns the host; under an aggregate one of its members.
    pub owner: ClusterId,
    /// The host's level in that cluster.
    pub priority: usize,
    /// Its index in the level.
    pub host: usize,
    /// Percent of the requests, above 0 and at most 100.
    pub share: f64,
}

impl Snapshot {
    /// The shares of the hosts of a cluster.
    ///
    /// `hash` is the request hash; without one, hash policies are averaged over uniformly
    /// distributed hashes. An unknown cluster has no host.
    #[must_use]
    pub fn distribution(&self, cluster: ClusterId, hash: Option<u64>) -> Distribution {
        self.distribution_of_attempt(cluster, hash, 0)
    }

    /// The same for a further try of a request, `attempt` 0 being the first: where the request
    /// hash decides, it goes on to other hosts.
    #[must_use]
    pub fn distribution_of_attempt(
        &self,
        cluster: ClusterId,
        hash: Option<u64>,
        attempt: u32,
    ) -> Distribution {
        let mut builder = Builder {
            attempt,
            ..Builder::default()
        };
        match self.cluster(cluster).map(|cluster| &cluster.kind) {
            Some(Kind::Plain(plain)) => builder.own_levels(cluster, plain, hash, 100.0),
            Some(Kind::Aggregate(aggregate)) => {
                let load = &aggregate.line.load;
                for (class, loads) in [
                    (HostClass::Healthy, &load.healthy),
                    (HostClass::Degraded, &load.degraded),
                ] {
                    for (level, &percent) in aggregate.line.levels.iter().zip(loads) {
                        let Some(member) = self.plain(level.cluster) else {
                            continue;
                        };
                        let percent = f64::from(percent);
                        if member.policy.hashes() {
                            // A hashing member ignores the level and chooses its own.
                            builder.own_levels(level.cluster, member, hash, percent);
                        } else {
                            builder.level(level.cluster, member, level.priority, class, percent);
                        }
                    }
                }
                if aggregate.line.levels.is_empty() {
                    builder.no_host = 100.0;
                }
            }
            None => builder.no_host = 100.0,
        }
        builder.finish()
    }
}

#[derive(Default)]
struct Builder {
    attempt: u32,
    no_host: f64,
    levels: Vec<LevelShares>,
}

impl Builder {
    /// `percent` of all requests, by the cluster's own choice of level.
    fn own_levels(
        &mut self,
        owner: ClusterId,
        cluster: &PlainSnapshot,
        hash: Option<u64>,
        percent: f64,
    ) {
        let load = &cluster.load;
        if let (Some(hash), true) = (hash, cluster.policy.hashes()) {
            let (priority, _) = choose_priority(hash, &load.healthy, &load.degraded);
            let table = cluster.levels.get(priority).and_then(|l| l.table.as_ref());
            match table.and_then(|table| table.lookup(hash, self.attempt)) {
                Some(host) => self.give(owner, priority, host, percent),
                None => self.no_host += percent,
            }
            return;
        }
        for window in windows(&load.healthy, &load.degraded) {
            let part = percent / 100.0;
            let whole = (window.to - window.from) as f64 * part;
            match cluster.policy {
                Policy::RoundRobin => {
                    self.level(owner, cluster, window.priority, window.class, whole);
                }
                Policy::Random => {
                    let hosts = cluster.hosts(window.priority, window.class);
                    if hosts.is_empty() {
                        self.no_host += whole;
                    }
                    // One draw chooses level and host, so both share its residues.
                    let shared = gcd(100, hosts.len() as u64);
                    for (place, host) in hosts.iter().enumerate() {
                        let meeting = (window.from..window.to)
                            .filter(|residue| residue % shared == place as u64 % shared)
                            .count();
                        let share = meeting as f64 * shared as f64 / hosts.len() as f64;
                        self.give(owner, window.priority, host, share * part);
                    }
                }
                _ => {
                    let level = cluster.levels.get(window.priority);
                    let parts = level.and_then(|level| {
                        let table = level.table.as_ref()?;
                        Some(table.parts(window.from, window.to, level.level.endpoints.len()))
                    });
                    let parts = parts.unwrap_or_default();
                    if parts.iter().all(|&part| part == 0.0) {
                        self.no_host += whole;
                    }
                    for (host, part) in parts.into_iter().enumerate() {
                        self.give(owner, window.priority, host, part * percent);
                    }
                }
            }
        }
    }

    /// `percent` of all requests, within one class of one level.
    fn level(
        &mut self,
        owner: ClusterId,
        cluster: &PlainSnapshot,
        priority: usize,
        class: HostClass,
        percent: f64,
    ) {
        let hosts = cluster.hosts(priority, class);
        let weight = |host: usize| -> f64 {
            let endpoint = cluster
                .levels
                .get(priority)
                .and_then(|level| level.level.endpoints.get(host));
            match (endpoint, cluster.policy) {
                (Some(endpoint), Policy::RoundRobin) => f64::from(endpoint.weight.get()),
                _ => 1.0,
            }
        };
        if hosts.is_empty() {
            self.no_host += percent;
            return;
        }
        let sum: f64 = hosts.iter().map(weight).sum();
        for host in hosts.iter() {
            self.give(owner, priority, host, percent * weight(host) / sum);
        }
    }

    fn give(&mut self, owner: ClusterId, priority: usize, host: usize, share: f64) {
        let of_level = |level: &LevelShares| level.owner == owner && level.priority == priority;
        let at = match self.levels.iter().position(of_level) {
            Some(at) => at,
            None => {
                self.levels.push(LevelShares {
                    owner,
                    priority,
                    shares: Vec::new(),
                });
                self.levels.len() - 1
            }
        };
        if let Some(level) = self.levels.get_mut(at) {
            if level.shares.len() <= host {
                level.shares.resize(host + 1, 0.0);
            }
            if let Some(sum) = level.shares.get_mut(host) {
                *sum += share;
            }
        }
    }

    fn finish(self) -> Distribution {
        let shares = self.levels.into_iter().flat_map(|level| {
            let (owner, priority) = (level.owner, level.priority);
            (0..).zip(level.shares).map(move |(host, share)| Share {
                owner,
                priority,
                host,
                share,
            })
        });
        Distribution {
            no_host: self.no_host,
            shares: shares.filter(|share| share.share > 0.0).collect(),
        }
    }
}

/// The shares of one level's hosts.
struct LevelShares {
    owner: ClusterId,
    priority: usize,
    shares: Vec<f64>,
}

/// A range of the residues modulo 100 that leads to one class of one level.
struct Window {
    from: u64,
    to: u64,
    priority: usize,
    class: HostClass,
}

/// The ranges of [`choose_priority`].
fn windows(healthy: &[u32], degraded: &[u32]) -> Vec<Window> {
    let mut windows: Vec<Window> = Vec::new();
    for residue in 0..100 {
        let (priority, class) = choose_priority(residue, healthy, degraded);
        match windows.last_mut() {
            Some(last) if last.priority == priority && last.class == class => last.to += 1,
            _ => windows.push(Window {
                from: residue,
                to: residue + 1,
                priority,
                class,
            }),
        }
    }
    windows
}
