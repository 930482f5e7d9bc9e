//! What a worker keeps between requests.

use alloc::vec::Vec;

use crate::{
    draw::Draw,
    load::HostClass,
    model::Policy,
    pick::RoundRobin,
    snapshot::{ClusterId, HostList, Kind, PlainSnapshot, Snapshot},
};

/// Turns of round robin, for one snapshot.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// By cluster number.
    clusters: Vec<ClusterState>,
}

#[derive(Debug, Clone, Default)]
struct ClusterState {
    seed: u64,
    levels: Vec<LevelState>,
}

/// Each list of hosts of a level has a turn of its own.
#[derive(Debug, Clone)]
struct LevelState {
    all: RoundRobin,
    healthy: RoundRobin,
    degraded: RoundRobin,
}

impl State {
    /// Fresh turns, each cluster's from a place of its own.
    pub fn new(snapshot: &Snapshot, draw: &mut impl Draw) -> Self {
        Self::default().carried_over(&Snapshot::default(), snapshot, draw)
    }

    /// The state for a new snapshot: clusters that keep their name go on where they were.
    #[must_use]
    pub fn carried_over(self, old: &Snapshot, new: &Snapshot, draw: &mut impl Draw) -> Self {
        let clusters = new
            .clusters()
            .map(|(_, cluster)| {
                let before = old
                    .cluster_id(&cluster.name)
                    .and_then(|id| self.clusters.get(id.index()));
                let seed = match before {
                    Some(before) => before.seed,
                    None => draw.draw(),
                };
                ClusterState {
                    seed,
                    levels: match &cluster.kind {
                        Kind::Plain(plain) => levels(plain, seed, before),
                        Kind::Aggregate(_) => Vec::new(),
                    },
                }
            })
            .collect();
        Self { clusters }
    }

    pub(super) fn turn(
        &mut self,
        cluster: ClusterId,
        priority: usize,
        class: HostClass,
        panic: bool,
    ) -> Option<&mut RoundRobin> {
        let cluster = self.clusters.get_mut(cluster.index())?;
        let level = cluster.levels.get_mut(priority)?;
        Some(match (panic, class) {
            (true, _) => &mut level.all,
            (false, HostClass::Healthy) => &mut level.healthy,
            (false, HostClass::Degraded) => &mut level.degraded,
        })
    }
}

fn levels(plain: &PlainSnapshot, seed: u64, before: Option<&ClusterState>) -> Vec<LevelState> {
    if plain.policy != Policy::RoundRobin {
        return Vec::new();
    }
    plain
        .levels
        .iter()
        .enumerate()
        .map(|(priority, level)| {
            let before = before.and_then(|before| before.levels.get(priority));
            let turn = |hosts: HostList<'_>, before: Option<&RoundRobin>| {
                let weights: Vec<u32> = hosts
                    .iter()
                    .filter_map(|host| Some(level.level.endpoints.get(host)?.weight.get()))
                    .collect();
                RoundRobin::resume(&weights, seed, before.map_or(seed, RoundRobin::cursor))
            };
            LevelState {
                all: turn(
                    level.hosts(HostClass::Healthy, true),
                    before.map(|b| &b.all),
                ),
                healthy: turn(
                    level.hosts(HostClass::Healthy, false),
                    before.map(|b| &b.healthy),
                ),
                degraded: turn(
                    level.hosts(HostClass::Degraded, false),
                    before.map(|b| &b.degraded),
                ),
            }
        })
        .collect()
}
