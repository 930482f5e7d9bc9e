//! A step of a chain: which set of hosts a request asks, and whether it serves in a cluster.

use alloc::{sync::Arc, vec, vec::Vec};

use super::{
    ChosenSubset, Criteria, SetChoice, SubsetIndex, SubsetReason, SubsetTarget,
    members::MembersByPriority,
};
use crate::model::{ChainHosts, ChainStep, Metadata, Priority, StepHealth};

/// The sets of a step, and how healthy they are in one cluster, plain or aggregate. A set has the
/// same number in all clusters; in some it may be empty.
#[derive(Debug, Clone)]
pub struct StepIndex {
    /// The step.
    pub step: Arc<ChainStep>,
    /// Which values lead to which set; steps that ask fixed hosts have one set, number 0.
    pub index: Arc<SubsetIndex>,
    /// The health of each set in the cluster, by number.
    pub health: Vec<StepHealth>,
}

/// The set of a step that criteria name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepSet {
    /// The criteria lack one of the step's keys.
    KeyMissing,
    /// No host carries what they ask for.
    NoHost,
    /// The set of this number.
    Set(usize),
}

/// What a step comes to for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The request's criteria lack one of the step's keys.
    Skipped,
    /// No host carries what it wants.
    NoHost,
    /// Too few of the hosts are healthy.
    BelowMinimum(StepHealth),
    /// It serves.
    Serves {
        /// The number of the set.
        set: usize,
        /// Its health.
        health: StepHealth,
        /// Whether it does so below its minima.
        last_resort: bool,
    },
}

impl StepIndex {
    /// Sorts the hosts of all clusters, priority by priority. Also gives the hosts of each set.
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

    /// The set that these criteria name.
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

    /// What the step comes to for a request with these criteria.
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
                match met || self.step.last_resort {
                    true => Verdict::Serves {
                        set,
                        health,
                        last_resort: !met,
                    },
                    false => Verdict::BelowMinimum(health),
                }
            }
        }
    }

    /// The sets that a host is in.
    pub(crate) fn sets_of(&self, metadata: &Metadata, mut found: impl FnMut(usize)) {
        match &self.step.hosts {
            ChainHosts::Any => found(0),
            _ => self.index.sets_of(metadata, found),
        }
    }
}

/// The first step that serves; `looked` hears of each that was looked at, by its place.
pub(crate) fn first_step<'a>(
    steps: &mut dyn Iterator<Item = &'a StepIndex>,
    criteria: &Metadata,
    mut looked: impl FnMut(usize, &'a StepIndex, Verdict),
) -> Option<ChosenSubset> {
    for (step, index) in steps.enumerate() {
        let verdict = index.verdict(criteria);
        looked(step, index, verdict);
        if let Verdict::Serves {
            set, last_resort, ..
        } = verdict
        {
            let reason = match last_resort {
                true => SubsetReason::LastResort,
                false => SubsetReason::Step,
            };
            let choice = SetChoice::Step { step, set };
            return Some(ChosenSubset { choice, reason });
        }
    }
    None
}
