//! What a cluster does at one moment: loads, panic and what finds no host.

use alloc::vec::Vec;

use spillgate_core::{
    inspect,
    model::Metadata,
    snapshot::{ClusterId, Kind, Snapshot},
};

/// Shares below this are left by rounding.
const NOTHING: f64 = 1e-9;

/// The levels of a cluster and what they do not serve.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// The levels, 0 first; of an aggregate, those of its members in one line.
    pub levels: Vec<LevelState>,
    /// Percent of the requests that find no host.
    pub no_host: f64,
}

/// One level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelState {
    /// The cluster that owns it.
    pub owner: ClusterId,
    /// Its number there.
    pub priority: usize,
    /// Its hosts, whatever their health.
    pub hosts: u32,
    /// The healthy ones.
    pub healthy: u32,
    /// Percent of the requests that its healthy hosts get.
    pub healthy_load: u32,
    /// Percent of the requests that its degraded hosts get.
    pub degraded_load: u32,
    /// Whether it serves from all its hosts; in an aggregate by the aggregate's threshold or by
    /// that of the member, who has the last word on its hosts.
    pub panic: bool,
}

impl LevelState {
    /// Percent of the requests that it gets.
    #[must_use]
    pub const fn load(&self) -> u32 {
        self.healthy_load.saturating_add(self.degraded_load)
    }
}

impl State {
    /// What a cluster does.
    #[must_use]
    pub fn of(snapshot: &Snapshot, cluster: ClusterId, criteria: &Metadata) -> Self {
        Self {
            levels: levels(snapshot, cluster, criteria),
            no_host: match snapshot.no_host(cluster, criteria) {
                none if none < NOTHING => 0.0,
                none => none,
            },
        }
    }

    /// Whether a level that has hosts passes requests on to levels after it.
    #[must_use]
    pub fn spills(&self, place: usize) -> bool {
        let has_hosts = self.levels.get(place).is_some_and(|level| level.hosts > 0);
        has_hosts
            && self
                .levels
                .iter()
                .skip(place + 1)
                .any(|level| level.load() > 0)
    }

    /// Whether a level serves from all its hosts, and gets requests.
    #[must_use]
    pub fn panics(&self, place: usize) -> bool {
        let level = self.levels.get(place);
        level.is_some_and(|level| level.panic && level.load() > 0)
    }

    /// How many levels do so.
    #[must_use]
    pub fn panicking(&self) -> usize {
        (0..self.levels.len()).filter(|&at| self.panics(at)).count()
    }

    /// Whether every request finds a host, and none one that is known to be unhealthy.
    #[must_use]
    pub fn survives(&self) -> bool {
        self.no_host == 0.0 && self.panicking() == 0
    }
}

fn levels(snapshot: &Snapshot, cluster: ClusterId, criteria: &Metadata) -> Vec<LevelState> {
    match snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
        Some(Kind::Plain(plain)) => {
            let levels = inspect::levels(plain, criteria);
            let loads = levels.load.healthy.iter().zip(&levels.load.degraded);
            let both = levels.health.iter().zip(loads).enumerate();
            both.map(|(priority, (health, (healthy, degraded)))| LevelState {
                owner: cluster,
                priority,
                hosts: health.hosts,
                healthy: health.healthy,
                healthy_load: *healthy,
                degraded_load: *degraded,
                panic: levels.load.panics(priority),
            })
            .collect()
        }
        Some(Kind::Aggregate(aggregate)) => {
            let line = &aggregate.line;
            let loads = line.load.healthy.iter().zip(&line.load.degraded);
            let both = line.levels.iter().zip(&line.health).zip(loads);
            both.enumerate()
                .map(|(place, ((level, health), (healthy, degraded)))| {
                    let member = snapshot.plain(level.cluster);
                    let own = member.map(|plain| inspect::levels(plain, criteria).load);
                    let own = own.is_some_and(|load| load.panics(level.priority));
                    LevelState {
                        owner: level.cluster,
                        priority: level.priority,
                        hosts: health.hosts,
                        healthy: health.healthy,
                        healthy_load: *healthy,
                        degraded_load: *degraded,
                        panic: line.load.panics(place) || own,
                    }
                })
                .collect()
        }
        Some(Kind::OriginalDst(_)) | None => Vec::new(),
    }
}
