//! The sets of hosts that a request may use within one cluster.

use core::ops::ControlFlow;

use crate::{
    model::Metadata,
    snapshot::{PlainSnapshot, PrioritySet, Subsets},
    subset::{ChosenSubset, SetChoice, SubsetReason},
};

/// The sets of one cluster that a request may use.
pub(crate) enum Sets<'a> {
    /// All hosts; the cluster has no subsets.
    Whole,
    /// The subsets that the criteria select.
    Subsets(&'a Subsets),
    /// The set of the serving chain step.
    Step(ChosenSubset),
}

/// A set of hosts to choose from.
#[derive(Clone, Copy)]
pub(crate) struct PlannedSet<'a> {
    pub(crate) choice: SetChoice,
    pub(crate) set: &'a PrioritySet,
    /// Why this set; `None` for a cluster without subsets.
    pub(crate) reason: Option<SubsetReason>,
}

/// The hosts behind a choice.
pub(crate) enum SetTarget<'a> {
    /// A set of hosts.
    Set(PlannedSet<'a>),
    /// A subset with a single host: neither priority nor health matters.
    Host { priority: usize, host: usize },
    /// The cluster has no such set.
    Missing,
}

impl PlainSnapshot {
    /// The sets that a request may use. `step` is the serving step of the subset fallback chain.
    #[inline]
    pub(crate) const fn sets(&self, step: Option<ChosenSubset>) -> Sets<'_> {
        match (&self.subsets, step) {
            (None, None) => Sets::Whole,
            (Some(subsets), None) => Sets::Subsets(subsets),
            (_, Some(step)) => Sets::Step(step),
        }
    }

    /// All hosts as a set.
    #[inline]
    pub(crate) fn whole_set(&self) -> PlannedSet<'_> {
        PlannedSet {
            choice: SetChoice::Whole,
            set: &self.whole,
            reason: None,
        }
    }

    /// The hosts of a subset.
    #[inline]
    pub(crate) fn target(&self, subset: ChosenSubset) -> SetTarget<'_> {
        let choice = subset.choice;
        match (self.set(choice), choice) {
            (Some(set), _) => SetTarget::Set(PlannedSet {
                choice,
                set,
                reason: Some(subset.reason),
            }),
            (None, SetChoice::Host { priority, host }) => SetTarget::Host { priority, host },
            (None, _) => SetTarget::Missing,
        }
    }
}

impl Subsets {
    /// The first subset for these criteria.
    #[inline]
    pub(crate) fn first(&self, criteria: &Metadata) -> Option<ChosenSubset> {
        let mut first = None;
        self.index.choose(criteria, |subset| {
            first = Some(subset);
            ControlFlow::Break(())
        });
        first
    }
}
