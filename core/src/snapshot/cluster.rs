//! Compiled clusters.

use alloc::{string::String, sync::Arc, vec::Vec};

use super::{
    AggregateStep, ClusterId, HostList, HostsSource, PlainStep, PriorityHosts, PrioritySet,
    Settings,
};
use crate::{
    load::AggregateLoad,
    model::{Endpoint, OriginalDstCluster, PanicThreshold},
    subset::{SetChoice, SubsetIndex},
};

/// A compiled cluster with its name.
#[derive(Debug, Clone)]
pub struct ClusterSnapshot {
    /// The cluster name.
    pub name: String,
    /// The type of the cluster.
    pub kind: ClusterSnapshotKind,
}

/// The type of a compiled cluster.
#[derive(Debug, Clone)]
pub enum ClusterSnapshotKind {
    /// A cluster with endpoints.
    Plain(PlainSnapshot),
    /// An aggregate cluster.
    Aggregate(AggregateSnapshot),
    /// A composite cluster.
    Composite(CompositeSnapshot),
    /// An `ORIGINAL_DST` cluster.
    OriginalDst(OriginalDstCluster),
}

/// A compiled cluster with endpoints.
#[derive(Debug, Clone)]
pub struct PlainSnapshot {
    /// The load-balancing settings.
    pub settings: Arc<Settings>,
    /// The hosts of each priority, P0 first.
    pub priorities: Vec<PriorityHosts>,
    /// All hosts as one set, for clusters without subsets and for `ANY_ENDPOINT`.
    pub whole: Arc<PrioritySet>,
    /// The subsets; `None` for a cluster without subsets.
    pub subsets: Option<Subsets>,
    /// The steps of the subset fallback chain. If not empty, they replace the subsets.
    pub chain: Vec<PlainStep>,
}

/// The subsets of a cluster.
#[derive(Debug, Clone)]
pub struct Subsets {
    /// The index of the subsets by criteria.
    pub index: Arc<SubsetIndex>,
    /// The hosts of each set, by set number.
    pub sets: Vec<Arc<PrioritySet>>,
}

impl PlainSnapshot {
    /// The endpoint of a host.
    #[must_use]
    pub fn endpoint(&self, priority: usize, host: usize) -> Option<&Endpoint> {
        self.priorities.get(priority)?.endpoint(host)
    }

    /// The set of a choice; `None` for a single host and for unknown sets.
    #[must_use]
    pub fn set(&self, choice: SetChoice) -> Option<&PrioritySet> {
        match choice {
            SetChoice::Whole => Some(&self.whole),
            SetChoice::Set(number) => {
                let set = self.subsets.as_ref()?.sets.get(number)?;
                Some(set)
            }
            SetChoice::Step { step, set } => {
                let set = self.chain.get(step)?.sets.get(set)?;
                Some(set)
            }
            SetChoice::Host { .. } => None,
        }
    }

    /// The hosts of a list in a priority of a set.
    #[must_use]
    pub fn list(&self, choice: SetChoice, priority: usize, source: HostsSource) -> HostList<'_> {
        self.set(choice)
            .map_or(HostList::EMPTY, |set| set.list(priority, source))
    }
}

/// A compiled composite cluster.
#[derive(Debug, Clone)]
pub struct CompositeSnapshot {
    /// The members in the order of attempts; `None` for a name that no cluster has.
    pub members: Vec<Option<ClusterId>>,
    /// Whether an attempt goes on to the next members until one has a host for it.
    pub skips: bool,
    /// The clusters whose hosts serve its requests, each once.
    pub owners: Vec<ClusterId>,
}

impl CompositeSnapshot {
    /// The members that an attempt asks for a host, in order; 0 is the first attempt.
    pub fn of_attempt(&self, attempt: usize) -> impl Iterator<Item = ClusterId> {
        let members = self.members.iter().skip(attempt);
        let most = if self.skips { self.members.len() } else { 1 };
        members.take(most).filter_map(|member| *member)
    }
}

/// A compiled aggregate cluster.
#[derive(Debug, Clone)]
pub struct AggregateSnapshot {
    /// The panic threshold of the aggregate.
    pub panic_threshold: PanicThreshold,
    /// The existing members, in order.
    pub members: Vec<ClusterId>,
    /// The member names that no cluster has.
    pub missing: Vec<String>,
    /// The linearized priorities of the members with their loads.
    pub linearized: AggregateLoad<ClusterId>,
    /// The steps of the subset fallback chain, each with its own linearized priorities.
    pub chain: Vec<AggregateStep>,
}

impl AggregateSnapshot {
    /// The linearized priorities of a choice: those of a chain step, or those of the whole
    /// aggregate.
    #[must_use]
    pub fn linearized_of(&self, choice: SetChoice) -> Option<&AggregateLoad<ClusterId>> {
        match choice {
            SetChoice::Step { step, set } => Some(self.chain.get(step)?.linearized.get(set)?),
            _ => Some(&self.linearized),
        }
    }
}

impl PlainSnapshot {
    /// The settings that apply to a choice.
    #[must_use]
    pub fn settings_of(&self, choice: SetChoice) -> &Settings {
        match choice {
            SetChoice::Step { step, .. } => {
                let step = self.chain.get(step);
                step.map_or(&self.settings, |step| &step.settings)
            }
            _ => &self.settings,
        }
    }
}
