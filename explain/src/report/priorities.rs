//! Loads and panic mode of the priorities of a cluster.

use alloc::vec::Vec;

use spillgate_core::{
    inspect,
    load::{Availability, PriorityHealth, PriorityLoad},
    model::Metadata,
    snapshot::{
        AggregateSnapshot, ClusterId, ClusterSnapshotKind, CompositeSnapshot, PlainSnapshot,
        Snapshot,
    },
    subset::ChosenSubset,
    trace::PriorityRef,
};

/// The priorities of a cluster; of an aggregate, its linearized priorities.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PriorityTable {
    /// The figures of all priorities together.
    pub totals: Totals,
    /// The priorities, P0 first.
    pub rows: Vec<PriorityRow>,
}

/// The figures of all priorities together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
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

    /// Whether its load or its hosts are those of panic mode.
    #[must_use]
    pub const fn in_panic(&self) -> bool {
        self.panic || self.own_panic
    }
}

impl PriorityTable {
    /// The priorities of a cluster for requests with these subset criteria. Empty for a cluster
    /// without priorities.
    #[must_use]
    pub fn of(snapshot: &Snapshot, cluster: ClusterId, criteria: &Metadata) -> Self {
        match snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
            Some(ClusterSnapshotKind::Plain(plain)) => Self::of_plain(cluster, plain, criteria),
            Some(ClusterSnapshotKind::Aggregate(aggregate)) => {
                Self::of_aggregate(snapshot, aggregate, criteria)
            }
            Some(ClusterSnapshotKind::Composite(composite)) => {
                Self::of_composite(snapshot, composite, criteria)
            }
            Some(ClusterSnapshotKind::OriginalDst(_)) | None => Self::default(),
        }
    }

    fn of_plain(cluster: ClusterId, plain: &PlainSnapshot, criteria: &Metadata) -> Self {
        let found = inspect::priorities(plain, criteria);
        let both = found.health.iter().enumerate();
        let rows = both.map(|(priority, health)| {
            let own_panic = found.load.panics(priority);
            let at = PriorityRef { cluster, priority };
            row(at, priority, health, &found.load, own_panic)
        });
        Self {
            rows: rows.collect(),
            totals: Totals {
                subset: found.subset,
                ..totals(&found.load, plain.settings.panic_threshold.percent())
            },
        }
    }

    /// Those of the member that serves the first attempt, and of members that find no host for some
    /// requests before it.
    fn of_composite(
        snapshot: &Snapshot,
        composite: &CompositeSnapshot,
        criteria: &Metadata,
    ) -> Self {
        let mut found: Option<Self> = None;
        for member in composite.of_attempt(0) {
            let no_host = snapshot.distribution_for(member, criteria, None).no_host;
            if no_host < 100.0 {
                let table = Self::of(snapshot, member, criteria);
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

    fn of_aggregate(
        snapshot: &Snapshot,
        aggregate: &AggregateSnapshot,
        criteria: &Metadata,
    ) -> Self {
        let line = &aggregate.linearized;
        let both = line.priorities.iter().zip(&line.health).enumerate();
        let rows = both.map(|(place, (priority, health))| {
            let member = snapshot.plain(priority.cluster);
            let own = member.map(|plain| inspect::priorities(plain, criteria).load);
            let at = PriorityRef {
                cluster: priority.cluster,
                priority: priority.number,
            };
            let own_panic = own.is_some_and(|load| load.panics(priority.number));
            row(at, place, health, &line.load, own_panic)
        });
        Self {
            rows: rows.collect(),
            totals: totals(&line.load, aggregate.panic_threshold.percent()),
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

const fn totals(load: &PriorityLoad, panic_threshold: u32) -> Totals {
    Totals {
        subset: None,
        availability: load.normalized_total,
        total_panic: load.total_panic,
        panic_threshold,
    }
}
