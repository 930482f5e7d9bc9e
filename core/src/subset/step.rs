//! A step of the subset fallback chain: the set for a request, and whether it serves in a cluster.

use alloc::{sync::Arc, vec, vec::Vec};

use super::{
    ChosenSubset, Criteria, SetChoice, SubsetIndex, SubsetReason, SubsetTarget,
    members::MembersByPriority,
};
use crate::model::{ChainHosts, ChainStep, Metadata, Priority, StepHealth};

/// The sets of a step with their health in one cluster, plain or aggregate. A set has the same
/// number in all clusters and may be empty in some.
#[derive(Debug, Clone)]
pub struct StepIndex {
    /// The step as configured.
    pub step: Arc<ChainStep>,
    /// The index of the sets by criteria. Steps without keys have one set, number 0.
    pub index: Arc<SubsetIndex>,
    /// The health of each set in the cluster, by set number.
    pub health: Vec<StepHealth>,
}

/// The set of a step for some criteria.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepSet {
    /// The criteria lack a key of the step.
    KeyMissing,
    /// No host matches the criteria.
    NoHost,
    /// The set with this number.
    Set(usize),
}

/// The result of a step for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The criteria lack a key of the step.
    Skipped,
    /// No host matches.
    NoHost,
    /// Too few hosts are healthy.
    BelowMinimum(StepHealth),
    /// The step serves.
    Serves {
        /// The number of the set.
        set: usize,
        /// The health of the set.
        health: StepHealth,
        /// Whether the step serves below its minimum.
        last_resort: bool,
    },
}

impl StepIndex {
    /// Sorts the hosts of the priorities of all clusters into sets. Also returns the hosts of each
    /// set.
    pub(crate) fn build(
        step: &ChainStep,
        priorities: &[&Priority],
    ) -> (Self, Vec<MembersByPriority>) {
        let (index, members) = SubsetIndex::of_step(&step.hosts, priorities);
        let index = Self {
            step: Arc::new(step.clone()),
            index: Arc::new(index),
            health: vec![StepHealth::default(); members.len()],
        };
        (index, members)
    }

    /// The sets of one cluster's hosts, with the numbers of this step: new sets follow the known
    /// ones. Also returns the hosts of each set.
    pub(crate) fn with_cluster(&self, priorities: &[&Priority]) -> (Self, Vec<MembersByPriority>) {
        let known = self.health.len();
        let (index, members) = match self.step.hosts {
            ChainHosts::Any => SubsetIndex::of_step(&ChainHosts::Any, priorities),
            _ => self.index.with_cluster(known, priorities),
        };
        let index = Self {
            step: self.step.clone(),
            // The state of a worker knows sets by their index, so an equal one must stay the same.
            index: if members.len() == known {
                self.index.clone()
            } else {
                Arc::new(index)
            },
            health: vec![StepHealth::default(); members.len()],
        };
        (index, members)
    }

    /// The set for these criteria.
    #[must_use]
    pub fn set(&self, criteria: &Metadata) -> StepSet {
        let ChainHosts::Keys(keys) = &self.step.hosts else {
            return StepSet::Set(0);
        };
        let criteria = Criteria::new(criteria);
        if !criteria.have(keys) {
            return StepSet::KeyMissing;
        }
        let entry = self.index.find(criteria.only(keys));
        match entry.map(|entry| entry.target) {
            Some(SubsetTarget::Set(set)) => StepSet::Set(set),
            Some(SubsetTarget::Host { .. }) | None => StepSet::NoHost,
        }
    }

    /// The result of the step for a request with these criteria.
    #[must_use]
    pub fn verdict(&self, criteria: &Metadata) -> Verdict {
        let set = match self.set(criteria) {
            StepSet::KeyMissing => return Verdict::Skipped,
            StepSet::NoHost => return Verdict::NoHost,
            StepSet::Set(set) => set,
        };
        match self.health.get(set).filter(|health| health.hosts > 0) {
            None => Verdict::NoHost,
            Some(&health) => {
                let met = self.step.is_met(health);
                if met || self.step.last_resort {
                    Verdict::Serves {
                        set,
                        health,
                        last_resort: !met,
                    }
                } else {
                    Verdict::BelowMinimum(health)
                }
            }
        }
    }

    /// The sets of a host.
    pub(crate) fn sets_of(&self, metadata: &Metadata, mut found: impl FnMut(usize)) {
        match &self.step.hosts {
            ChainHosts::Any => found(0),
            _ => self.index.sets_of(metadata, found),
        }
    }
}

/// The first serving step. `visit` is called for each step that is tried, with its index.
pub(crate) fn first_step<'a>(
    steps: &mut dyn Iterator<Item = &'a StepIndex>,
    criteria: &Metadata,
    mut visit: impl FnMut(usize, &'a StepIndex, Verdict),
) -> Option<ChosenSubset> {
    for (step, index) in steps.enumerate() {
        let verdict = index.verdict(criteria);
        visit(step, index, verdict);
        if let Verdict::Serves {
            set, last_resort, ..
        } = verdict
        {
            let reason = if last_resort {
                SubsetReason::LastResort
            } else {
                SubsetReason::Step
            };
            let choice = SetChoice::Step { step, set };
            return Some(ChosenSubset { choice, reason });
        }
    }
    None
}
