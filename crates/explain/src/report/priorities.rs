//! Loads and panic mode of the priorities of a cluster.

use alloc::vec::Vec;

use spillgate_core::{
    inspect::Priorities,
    load::{Availability, PriorityHealth, PriorityLoad},
    model::Metadata,
    snapshot::{ClusterId, ClusterSnapshotKind, CompositeSnapshot, Snapshot},
    subset::ChosenSubset,
    trace::PriorityRef,
};

use super::source::{Compiled, LoadSource};

/// The priorities of a cluster; of an aggregate, its linearized priorities.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PriorityTable {
    /// The figures of all priorities together.
    pub totals: PriorityTotals,
    /// The priorities, P0 first.
    pub rows: Vec<PriorityRow>,
}

/// The figures of all priorities together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PriorityTotals {
    /// The set of hosts that serves, and why; `None` without subsets, or if no subset serves.
    pub subset: Option<ChosenSubset>,
    /// The sum of all availabilities, at most 100.
    pub availability: u32,
    /// Whether every priority is in panic mode, so that loads follow host counts.
    pub total_panic: bool,
    /// The panic threshold that the loads depend on, in percent.
    pub panic_threshold: u32,
}

/// The figures of one priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorityRow {
    /// The priority in the cluster that owns it.
    pub at: PriorityRef,
    /// Its hosts by health, and its overprovisioning factor.
    pub health: PriorityHealth,
    /// What its healthy and its degraded hosts have capacity for.
    pub availability: Availability,
    /// The load of its healthy hosts, in percent.
    pub healthy_load: u32,
    /// The load of its degraded hosts, in percent.
    pub degraded_load: u32,
    /// Whether it is in panic mode by the threshold of the cluster in question.
    pub panic: bool,
    /// Whether it is in panic mode by the threshold of the cluster that owns it, which chooses
    /// the hosts.
    pub own_panic: bool,
}

impl PriorityRow {
    /// The load of all its hosts, in percent.
    #[must_use]
    pub const fn load(&self) -> u32 {
        self.healthy_load.saturating_add(self.degraded_load)
    }

    /// The same priority without load and without usable hosts.
    pub(super) fn unused(&self) -> Self {
        Self {
            health: PriorityHealth {
                healthy: 0,
                degraded: 0,
                ..self.health
            },
            availability: Availability::default(),
            healthy_load: 0,
            degraded_load: 0,
            panic: false,
            own_panic: false,
            ..*self
        }
    }

    /// Whether its load or its hosts are those of panic mode.
    #[must_use]
    pub const fn in_panic_mode(&self) -> bool {
        self.panic || self.own_panic
    }
}

impl PriorityTable {
    /// The priorities of a cluster for requests with these subset criteria. Empty for a cluster
    /// without priorities.
    #[must_use]
    pub fn of(snapshot: &Snapshot, cluster: ClusterId, criteria: &Metadata) -> Self {
        let source = Compiled { snapshot, criteria };
        Self::from_source(snapshot, cluster, &source)
    }

    /// The priorities of a cluster of a snapshot, with the loads of a source.
    pub(super) fn from_source(
        snapshot: &Snapshot,
        cluster: ClusterId,
        source: &dyn LoadSource,
    ) -> Self {
        match snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
            Some(ClusterSnapshotKind::Plain(plain)) => {
                let found = source.priorities(cluster).unwrap_or_default();
                Self::of_plain(cluster, found, plain.settings.panic_threshold.percent())
            }
            Some(ClusterSnapshotKind::Aggregate(aggregate)) => {
                let threshold = aggregate.panic_threshold.percent();
                Self::of_aggregate(cluster, source, threshold)
            }
            Some(ClusterSnapshotKind::Composite(composite)) => {
                Self::of_composite(snapshot, composite, source)
            }
            Some(ClusterSnapshotKind::OriginalDst(_)) | None => Self::default(),
        }
    }

    fn of_plain(cluster: ClusterId, found: Priorities, panic_threshold: u32) -> Self {
        let both = found.health.iter().enumerate();
        let rows = both.map(|(priority, health)| {
            let own_panic = found.load.panics(priority);
            let at = PriorityRef { cluster, priority };
            row(at, priority, health, &found.load, own_panic)
        });
        Self {
            rows: rows.collect(),
            totals: PriorityTotals {
                subset: found.subset,
                ..totals(&found.load, panic_threshold)
            },
        }
    }

    /// Those of the member that serves the first attempt, and of members that find no host for some
    /// requests before it.
    fn of_composite(
        snapshot: &Snapshot,
        composite: &CompositeSnapshot,
        source: &dyn LoadSource,
    ) -> Self {
        let mut found: Option<Self> = None;
        for member in composite.of_attempt(0) {
            let no_host = source.no_host(member);
            if no_host < 100.0 {
                let table = Self::from_source(snapshot, member, source);
                match &mut found {
                    Some(found) => found.rows.extend(table.rows),
                    None => found = Some(table),
                }
            }
            if no_host <= 0.0 {
                break;
            }
        }
        found.unwrap_or_default()
    }

    fn of_aggregate(cluster: ClusterId, source: &dyn LoadSource, panic_threshold: u32) -> Self {
        let Some(line) = source.linearized(cluster) else {
            return Self::default();
        };
        let mut members: Vec<(ClusterId, PriorityLoad)> = Vec::new();
        let both = line.priorities.iter().zip(&line.health).enumerate();
        let rows = both.map(|(place, (priority, health))| {
            let id = priority.cluster;
            if members.last().is_none_or(|(of, _)| *of != id) {
                let own = source.priorities(id).unwrap_or_default();
                members.push((id, own.load));
            }
            let own = members.last();
            let at = PriorityRef {
                cluster: id,
                priority: priority.number,
            };
            let own_panic = own.is_some_and(|(_, load)| load.panics(priority.number));
            row(at, place, health, &line.load, own_panic)
        });
        Self {
            rows: rows.collect(),
            totals: totals(&line.load, panic_threshold),
        }
    }
}

fn row(
    at: PriorityRef,
    place: usize,
    health: &PriorityHealth,
    load: &PriorityLoad,
    own_panic: bool,
) -> PriorityRow {
    let of = |loads: &[u32]| loads.get(place).copied().unwrap_or(0);
    PriorityRow {
        at,
        health: *health,
        availability: load.availability.get(place).copied().unwrap_or_default(),
        healthy_load: of(&load.healthy),
        degraded_load: of(&load.degraded),
        panic: load.panics(place),
        own_panic,
    }
}

const fn totals(load: &PriorityLoad, panic_threshold: u32) -> PriorityTotals {
    PriorityTotals {
        subset: None,
        availability: load.normalized_total,
        total_panic: load.total_panic,
        panic_threshold,
    }
}
