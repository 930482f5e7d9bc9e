//! Whether the compiled decisions of two clusters are the same while their hosts keep their health.

use std::collections::BTreeMap;

use spillgate_core::{
    load::AggregateLoad,
    model::{ChainHosts, PlainCluster, Policy},
    snapshot::{
        AggregateSnapshot, AggregateStep, ClusterId, ClusterSnapshotKind, PlainSnapshot, PlainStep,
        PriorityHosts, PrioritySet, Snapshot, Subsets,
    },
    subset::{StepIndex, SubsetEntry, SubsetTarget},
};
use spillgate_sim::Scene;

use crate::host_sets::{HostKey, HostMetadata, HostReads, are_alike, counts, same_hosts};

/// A compiled cluster of a side, with the others that its decisions read.
#[derive(Clone, Copy)]
pub(crate) struct Compiled<'s> {
    pub(crate) scene: &'s Scene,
    pub(crate) snapshot: &'s Snapshot,
    pub(crate) cluster: ClusterId,
    metadata: HostMetadata,
}

impl<'s> Compiled<'s> {
    /// The evaluated cluster of a scene.
    pub(crate) const fn new(scene: &'s Scene, metadata: HostMetadata) -> Self {
        Self {
            snapshot: scene.snapshot(),
            cluster: scene.cluster(),
            scene,
            metadata,
        }
    }

    fn of_member(self, cluster: ClusterId) -> Self {
        Self { cluster, ..self }
    }

    fn kind(self) -> Option<&'s ClusterSnapshotKind> {
        Some(&self.snapshot.cluster(self.cluster)?.kind)
    }
}

/// Whether no request to these clusters differs while hosts keep their health. Never true by mistake; false for
/// some clusters whose decisions are the same.
pub(crate) fn same(before: Compiled<'_>, after: Compiled<'_>) -> bool {
    match (before.kind(), after.kind()) {
        (Some(ClusterSnapshotKind::Plain(old)), Some(ClusterSnapshotKind::Plain(new))) => {
            let has_subsets = old.subsets.is_some() || new.subsets.is_some();
            let reads = HostReads {
                metadata: if has_subsets {
                    HostMetadata::Read
                } else {
                    before.metadata
                },
                statuses: before.metadata == HostMetadata::Read
                    || !are_alike(old.settings.override_statuses),
            };
            same_plain(Hosts::of(old, reads), Hosts::of(new, reads))
        }
        (Some(ClusterSnapshotKind::Aggregate(old)), Some(ClusterSnapshotKind::Aggregate(new))) => {
            same_aggregate((before, old), (after, new))
        }
        (Some(ClusterSnapshotKind::Composite(old)), Some(ClusterSnapshotKind::Composite(new))) => {
            let pairs = old.members.iter().zip(&new.members);
            let mut pairs = pairs.map(|pair| same_members((before, after), pair));
            old.skips == new.skips
                && old.members.len() == new.members.len()
                && pairs.all(|same| same)
        }
        (
            Some(ClusterSnapshotKind::OriginalDst(old)),
            Some(ClusterSnapshotKind::OriginalDst(new)),
        ) => old == new,
        _ => false,
    }
}

fn same_members(
    (before, after): (Compiled<'_>, Compiled<'_>),
    pair: (&Option<ClusterId>, &Option<ClusterId>),
) -> bool {
    match pair {
        (Some(old), Some(new)) => same(before.of_member(*old), after.of_member(*new)),
        (old, new) => old.is_none() && new.is_none(),
    }
}

fn same_aggregate(
    (before, old): (Compiled<'_>, &AggregateSnapshot),
    (after, new): (Compiled<'_>, &AggregateSnapshot),
) -> bool {
    let mut members = old.members.iter().zip(&new.members);
    let line = |of: &AggregateLoad<ClusterId>, members: &[ClusterId]| {
        let place = |cluster| members.iter().position(|member| *member == cluster);
        let priorities = of.priorities.iter();
        let places: Vec<_> = priorities
            .map(|priority| (place(priority.cluster), priority.number))
            .collect();
        let health: Vec<_> = of.health.iter().map(counts).collect();
        (places, health, of.load.clone())
    };
    let same_line = |a: &AggregateLoad<ClusterId>, b: &AggregateLoad<ClusterId>| {
        line(a, &old.members) == line(b, &new.members)
    };
    let same_step = |(a, b): (&AggregateStep, &AggregateStep)| {
        same_sets(&a.found, &b.found, |old, new| {
            let sets = (a.linearized.get(old), b.linearized.get(new));
            matches!(sets, (Some(a), Some(b)) if same_line(a, b))
        })
    };
    old.members.len() == new.members.len()
        && members.all(|(old, new)| same(before.of_member(*old), after.of_member(*new)))
        && same_line(&old.linearized, &new.linearized)
        && old.chain.len() == new.chain.len()
        && old.chain.iter().zip(&new.chain).all(same_step)
}

/// The hosts of a cluster with endpoints.
#[derive(Clone, Copy)]
struct Hosts<'s> {
    plain: &'s PlainSnapshot,
    reads: HostReads,
}

impl<'s> Hosts<'s> {
    const fn of(plain: &'s PlainSnapshot, reads: HostReads) -> Self {
        Self { plain, reads }
    }

    fn key(self, priority: &PriorityHosts, host: usize) -> Option<HostKey> {
        HostKey::of(priority, host, self.reads)
    }
}

fn same_plain(before: Hosts<'_>, after: Hosts<'_>) -> bool {
    let (old, new) = (before.plain, after.plain);
    let subsets = match (&old.subsets, &new.subsets) {
        (None, None) => true,
        (Some(a), Some(b)) => same_subsets((before, a), (after, b)),
        _ => false,
    };
    let same_step = |(a, b): (&PlainStep, &PlainStep)| {
        same_sets(&a.found, &b.found, |old, new| {
            let sets = (a.sets.get(old), b.sets.get(new));
            matches!(sets, (Some(a), Some(b)) if same_set((before, a), (after, b)))
        })
    };
    // Only a priority in panic mode reads `fail_traffic_on_panic`.
    let panics =
        old.whole.load.panic.contains(&true) || old.subsets.is_some() || !old.chain.is_empty();
    let locality_lb = !panics || old.settings.locality_lb == new.settings.locality_lb;
    subsets
        && old.chain.len() == new.chain.len()
        && old.chain.iter().zip(&new.chain).all(same_step)
        && locality_lb
        && acting(&old.settings) == acting(&new.settings)
        && old.priorities.len() == new.priorities.len()
        && same_set((before, &old.whole), (after, &new.whole))
}

/// Whether all criteria select the same hosts.
fn same_subsets((old, before): (Hosts<'_>, &Subsets), (new, after): (Hosts<'_>, &Subsets)) -> bool {
    let sets = |a: usize, b: usize| match (before.sets.get(a), after.sets.get(b)) {
        (Some(a), Some(b)) => same_set((old, a), (new, b)),
        _ => false,
    };
    let single = |of: Hosts<'_>, priority: usize, host: usize| {
        let key = of.key(of.plain.priorities.get(priority)?, host)?;
        Some((priority, key))
    };
    let same = |(a, b): (&SubsetTarget, &SubsetTarget)| match (*a, *b) {
        (SubsetTarget::Set(a), SubsetTarget::Set(b)) => sets(a, b),
        (
            SubsetTarget::Host { priority, host },
            SubsetTarget::Host {
                priority: other_priority,
                host: other_host,
            },
        ) => {
            let key = single(old, priority, host);
            key.is_some() && key == single(new, other_priority, other_host)
        }
        _ => false,
    };
    let default = match (before.index.default_set(), after.index.default_set()) {
        (Some(a), Some(b)) => sets(a, b),
        (a, b) => a == b,
    };
    let (a, b) = (
        by_criteria(before.index.entries()),
        by_criteria(after.index.entries()),
    );
    before.index.config() == after.index.config()
        && default
        && a.keys().eq(b.keys())
        && a.values().zip(b.values()).all(same)
}

/// The subsets by their criteria.
fn by_criteria(entries: &[SubsetEntry]) -> BTreeMap<Vec<u8>, SubsetTarget> {
    let entries = entries.iter().map(|entry| {
        let mut criteria = Vec::new();
        entry.criteria.canonical(&mut criteria);
        (criteria, entry.target)
    });
    entries.collect()
}

/// Whether a step of a subset fallback chain is the same on both sides, with the same sets for all criteria; `same`
/// compares two sets by their numbers.
fn same_sets(before: &StepIndex, after: &StepIndex, same: impl Fn(usize, usize) -> bool) -> bool {
    let same = |a: usize, b: usize| before.health.get(a) == after.health.get(b) && same(a, b);
    let sets = match before.step.hosts {
        ChainHosts::Keys(_) => {
            let (a, b) = (
                by_criteria(before.index.entries()),
                by_criteria(after.index.entries()),
            );
            let mut targets = a.values().zip(b.values());
            a.keys().eq(b.keys())
                && targets.all(|targets| match targets {
                    (SubsetTarget::Set(a), SubsetTarget::Set(b)) => same(*a, *b),
                    _ => false,
                })
        }
        ChainHosts::Match(_) | ChainHosts::Any => {
            before.health.len() == after.health.len()
                && (0..before.health.len()).all(|set| same(set, set))
        }
    };
    before.step == after.step && sets
}

/// The settings that decide about requests while hosts keep their health. The others act through the loads of
/// priorities and localities only.
fn acting(settings: &PlainCluster) -> PlainCluster {
    PlainCluster {
        panic_threshold: PlainCluster::default().panic_threshold,
        overprovisioning_factor: PlainCluster::default().overprovisioning_factor,
        weighted_priority_health: false,
        locality_lb: Default::default(),
        policy: match settings.policy {
            // Their tables are compared.
            Policy::RingHash(_) => Policy::RingHash(Default::default()),
            Policy::Maglev(_) => Policy::Maglev(Default::default()),
            other => other,
        },
        ..settings.clone()
    }
}

fn same_set(
    (old, before): (Hosts<'_>, &PrioritySet),
    (new, after): (Hosts<'_>, &PrioritySet),
) -> bool {
    if before.load != after.load || before.priorities.len() != after.priorities.len() {
        return false;
    }
    let hosts = old.plain.priorities.iter().zip(&new.plain.priorities);
    let sets = before.priorities.iter().zip(&after.priorities);
    let reads = old.reads;
    hosts.zip(sets).all(|((old, new), (before, after))| {
        counts(&before.health) == counts(&after.health)
            && same_hosts((old, before), (new, after), reads)
    })
}
