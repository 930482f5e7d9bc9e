//! A cluster as counts of its hosts: the loads after losses, without building host lists or tables.
//!
//! Loads and panic mode follow from counts and weights by class alone. So a loss costs a few
//! additions, where [`Snapshot::with_health`] builds lists of all hosts.

mod no_host;

use alloc::{vec, vec::Vec};
use core::ops::ControlFlow;

use super::{
    Priorities,
    priorities::{of_one, one, unserved},
};
use crate::{
    load::{AggregateLoad, Availability, PriorityHealth, PriorityLoad, linearized, panics},
    model::{Metadata, PanicThreshold},
    snapshot::{ClusterId, ClusterSnapshotKind, HostRef, PlainSnapshot, PrioritySet, Snapshot},
    subset::{ChosenSubset, SetChoice},
};

/// The hosts of a cluster, or of its members, by count.
#[derive(Debug, Clone)]
pub struct CountedCluster<'a> {
    snapshot: &'a Snapshot,
    owners: Vec<CountedOwner<'a>>,
    /// The thresholds that panic mode depends on.
    thresholds: Vec<PanicThreshold>,
    decides_no_host: bool,
}

/// The hosts of one plain cluster.
#[derive(Debug, Clone)]
struct CountedOwner<'a> {
    id: ClusterId,
    plain: &'a PlainSnapshot,
    /// The hosts of the whole cluster, by priority.
    whole: Vec<PriorityHealth>,
    /// The subsets that the criteria choose, in order; unused in a cluster without subsets.
    chosen: Vec<CountedSubset<'a>>,
}

/// A subset with its hosts by priority.
#[derive(Debug, Clone)]
struct CountedSubset<'a> {
    subset: ChosenSubset,
    /// `None` for a single host.
    set: Option<&'a PrioritySet>,
    health: Vec<PriorityHealth>,
}

impl<'a> CountedCluster<'a> {
    /// The hosts of a cluster for requests with these subset criteria. `None` if more than counts
    /// decides: the health of each step of a subset fallback chain, or the localities of a member of
    /// a composite cluster.
    #[must_use]
    pub fn of(snapshot: &'a Snapshot, cluster: ClusterId, criteria: &Metadata) -> Option<Self> {
        let mut counted = Self {
            snapshot,
            owners: Vec::new(),
            thresholds: Vec::new(),
            decides_no_host: true,
        };
        counted.add(cluster, criteria).then_some(counted)
    }

    fn add(&mut self, cluster: ClusterId, criteria: &Metadata) -> bool {
        match self.snapshot.cluster(cluster).map(|found| &found.kind) {
            Some(ClusterSnapshotKind::Plain(plain)) => self.add_plain(cluster, plain, criteria),
            Some(ClusterSnapshotKind::Aggregate(aggregate)) => {
                self.thresholds.push(aggregate.panic_threshold);
                let mut members = aggregate.members.iter();
                aggregate.chain.is_empty() && members.all(|id| self.add(*id, criteria))
            }
            Some(ClusterSnapshotKind::Composite(composite)) => {
                let mut members = composite.members.iter().flatten();
                // Its members serve if the ones before them have no host.
                members.all(|id| self.add(*id, criteria)) && self.decides_no_host
            }
            Some(ClusterSnapshotKind::OriginalDst(_)) | None => true,
        }
    }

    fn add_plain(&mut self, id: ClusterId, plain: &'a PlainSnapshot, criteria: &Metadata) -> bool {
        if !plain.chain.is_empty() {
            return false;
        }
        if self.owner(id).is_some() {
            return true;
        }
        let mut chosen = Vec::new();
        if let Some(subsets) = &plain.subsets {
            subsets.index.choose(criteria, |subset| {
                chosen.push(CountedSubset::of(plain, subset));
                ControlFlow::Continue(())
            });
        }
        // Rounding of zone-aware routing can choose a locality without hosts, and hash tables omit
        // the hosts of localities without a weight.
        let settings = &plain.settings;
        let mut sets = chosen.iter().filter_map(|chosen| chosen.set);
        let by_zone = |set: &PrioritySet| {
            let mut priorities = set.priorities.iter();
            priorities.any(|of| of.localities.as_ref().is_some_and(|of| of.zones.is_some()))
        };
        let by_locality = settings.policy.hashes() && settings.locality_lb.is_weighted();
        if by_locality || by_zone(&plain.whole) || sets.any(by_zone) {
            self.decides_no_host = false;
        }
        self.thresholds.push(settings.panic_threshold);
        self.owners.push(CountedOwner {
            id,
            plain,
            whole: plain.whole.health(),
            chosen,
        });
        true
    }

    /// Whether [`CountedCluster::no_host`] is exact.
    #[must_use]
    pub const fn decides_no_host(&self) -> bool {
        self.decides_no_host
    }

    /// Counts a host as lost: it fails its active health checks. A host must not be lost twice.
    /// Returns whether loads, panic mode or requests without a host can change.
    pub fn lose(&mut self, host: HostRef) -> bool {
        let Self {
            owners, thresholds, ..
        } = self;
        let Some(owner) = owners.iter_mut().find(|owner| owner.id == host.cluster) else {
            return false;
        };
        let Some(hosts) = owner.plain.priorities.get(host.priority) else {
            return false;
        };
        let old = hosts.health(host.host);
        let weight = hosts.configured_weight(host.host);
        let mut changed = false;
        let mut lose = |counts: &mut Vec<PriorityHealth>, at: usize| {
            if let Some(health) = counts.get_mut(at) {
                let before = LoadInputs::of(health, thresholds);
                health.recount(old, old.failed(), weight);
                changed |= before != LoadInputs::of(health, thresholds);
            }
        };
        lose(&mut owner.whole, host.priority);
        for chosen in &mut owner.chosen {
            if chosen.has(host) {
                let at = if chosen.set.is_some() {
                    host.priority
                } else {
                    0
                };
                lose(&mut chosen.health, at);
            }
        }
        changed
    }

    /// The priorities of a plain cluster, as [`priorities`](super::priorities()).
    #[must_use]
    pub fn priorities(&self, cluster: ClusterId) -> Option<Priorities> {
        let owner = self.owner(cluster)?;
        let whole = || Priorities {
            subset: None,
            health: owner.whole.clone(),
            load: owner.load(&owner.whole),
        };
        if owner.plain.subsets.is_none() {
            return Some(whole());
        }
        let first = owner.chosen.first();
        Some(match first.map(|first| (first, first.subset.choice)) {
            Some((first, SetChoice::Host { priority, .. })) => Priorities {
                subset: Some(first.subset),
                ..of_one(
                    owner.plain,
                    priority,
                    first.health.first().copied().unwrap_or_default(),
                )
            },
            Some((first, _)) if first.set.is_some() => Priorities {
                subset: Some(first.subset),
                load: owner.load(&first.health),
                health: first.health.clone(),
            },
            _ => unserved(whole()),
        })
    }

    /// The linearized priorities of an aggregate; `None` for other clusters.
    #[must_use]
    pub fn linearized(&self, cluster: ClusterId) -> Option<AggregateLoad<ClusterId>> {
        let ClusterSnapshotKind::Aggregate(aggregate) = &self.snapshot.cluster(cluster)?.kind
        else {
            return None;
        };
        let members = aggregate.members.iter();
        let members = members.filter_map(|&id| Some((id, self.owner(id)?.whole.clone())));
        let members: Vec<_> = members.collect();
        Some(linearized(&members, aggregate.panic_threshold))
    }

    fn owner(&self, id: ClusterId) -> Option<&CountedOwner<'a>> {
        self.owners.iter().find(|owner| owner.id == id)
    }
}

/// The values of a priority that loads, panic mode and missing hosts depend on.
#[derive(PartialEq)]
struct LoadInputs {
    availability: Availability,
    panics: usize,
    empty: (bool, bool),
}

impl LoadInputs {
    fn of(health: &PriorityHealth, thresholds: &[PanicThreshold]) -> Self {
        let thresholds = thresholds.iter();
        Self {
            availability: health.availability(),
            panics: thresholds.filter(|&&of| panics(health, of)).count(),
            empty: (health.healthy == 0, health.degraded == 0),
        }
    }
}

impl CountedOwner<'_> {
    fn load(&self, health: &[PriorityHealth]) -> PriorityLoad {
        self.plain.settings.load(health.to_vec())
    }
}

impl<'a> CountedSubset<'a> {
    fn of(plain: &'a PlainSnapshot, subset: ChosenSubset) -> Self {
        let set = plain.set(subset.choice);
        let health = match (set, subset.choice) {
            (Some(set), _) => set.health(),
            (None, SetChoice::Host { priority, host }) => vec![one(plain, priority, host)],
            (None, _) => Vec::new(),
        };
        Self {
            subset,
            set,
            health,
        }
    }

    fn has(&self, at: HostRef) -> bool {
        match (self.set, self.subset.choice) {
            (Some(set), _) => {
                let priority = set.priorities.get(at.priority);
                priority.is_some_and(|of| of.members().index_of(at.host).is_some())
            }
            (None, SetChoice::Host { priority, host }) => {
                (priority, host) == (at.priority, at.host)
            }
            (None, _) => false,
        }
    }
}
