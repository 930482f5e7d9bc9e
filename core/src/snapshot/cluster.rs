//! A compiled cluster.

use alloc::{string::String, sync::Arc, vec::Vec};

use super::{
    AggregateStep, ClusterId, HostList, PlainStep, PriorityHosts, PrioritySet, Settings, Source,
};
use crate::{
    load::AggregateLoad,
    model::{Endpoint, OriginalDstCluster, PanicThreshold},
    subset::{SetChoice, SubsetIndex},
};

/// A cluster and its name.
#[derive(Debug, Clone)]
pub struct ClusterSnapshot {
    /// The name.
    pub name: String,
    /// What stands behind it.
    pub kind: ClusterSnapshotKind,
}

/// What a compiled cluster is made of.
#[derive(Debug, Clone)]
pub enum ClusterSnapshotKind {
    /// Endpoints of its own.
    Plain(PlainSnapshot),
    /// Members.
    Aggregate(AggregateSnapshot),
    /// The destinations that requests ask for.
    OriginalDst(OriginalDstCluster),
}

/// A compiled cluster with endpoints.
#[derive(Debug, Clone)]
pub struct PlainSnapshot {
    /// What its configuration says.
    pub settings: Arc<Settings>,
    /// The hosts of each priority, 0 first.
    pub priorities: Vec<PriorityHosts>,
    /// All of them as one set: what serves where there are no subsets, and as `ANY_ENDPOINT`.
    pub whole: Arc<PrioritySet>,
    /// The subsets.
    pub subsets: Option<Subsets>,
    /// The steps of the chain, which then decides in place of the subsets.
    pub chain: Vec<PlainStep>,
}

/// The subsets of a cluster.
#[derive(Debug, Clone)]
pub struct Subsets {
    /// Which there are.
    pub index: Arc<SubsetIndex>,
    /// Their hosts, by number.
    pub sets: Vec<Arc<PrioritySet>>,
}

impl PlainSnapshot {
    /// A host as configured.
    #[must_use]
    pub fn endpoint(&self, priority: usize, host: usize) -> Option<&Endpoint> {
        self.priorities.get(priority)?.endpoint(host)
    }

    /// The set that a choice stands for; none where it is a single host.
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

    /// The hosts that a source of a priority of a set stands for.
    #[must_use]
    pub fn list(&self, choice: SetChoice, priority: usize, source: Source) -> HostList<'_> {
        self.set(choice)
            .map_or(HostList::EMPTY, |set| set.list(priority, source))
    }
}

/// A compiled aggregate.
#[derive(Debug, Clone)]
pub struct AggregateSnapshot {
    /// The aggregate's own threshold.
    pub panic_threshold: PanicThreshold,
    /// The members that exist, in order.
    pub members: Vec<ClusterId>,
    /// The names that no cluster has.
    pub missing: Vec<String>,
    /// The members' priorities in one line, and their loads.
    pub line: AggregateLoad<ClusterId>,
    /// The steps of the chain, each with lines of its own.
    pub chain: Vec<AggregateStep>,
}

impl AggregateSnapshot {
    /// The line that a choice stands for: the aggregate's own, or that of a step.
    #[must_use]
    pub fn line(&self, choice: SetChoice) -> Option<&AggregateLoad<ClusterId>> {
        match choice {
            SetChoice::Step { step, set } => Some(self.chain.get(step)?.lines.get(set)?),
            _ => Some(&self.line),
        }
    }
}

impl PlainSnapshot {
    /// The settings that hold for a choice.
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
