//! The sets of hosts that a request asks within one cluster, in order.

use core::ops::ControlFlow;

use crate::{
    model::Metadata,
    snapshot::{PlainSnapshot, PrioritySet, Subsets},
    subset::{ChosenSubset, SetChoice, SubsetReason},
};

/// The sets of one cluster that a request may ask.
pub(crate) enum Sets<'a> {
    /// All hosts; there are no subsets.
    Whole,
    /// What the criteria lead to.
    Subsets(&'a Subsets),
    /// The set of the step that serves.
    Step(ChosenSubset),
}

/// A set of hosts that is asked.
#[derive(Clone, Copy)]
pub(crate) struct AskedSet<'a> {
    pub(crate) choice: SetChoice,
    pub(crate) set: &'a PrioritySet,
    /// Why this one, where there are several.
    pub(crate) reason: Option<SubsetReason>,
}

/// What a choice comes to in a cluster.
pub(crate) enum Asked<'a> {
    /// A set.
    Set(AskedSet<'a>),
    /// A subset of one host: no priority is chosen and no health is looked at.
    Host { priority: usize, host: usize },
    /// The cluster has no such set.
    Nobody,
}

impl PlainSnapshot {
    /// What a request asks. `step` is the step of the chain that serves it.
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
    pub(crate) fn asked_whole(&self) -> AskedSet<'_> {
        AskedSet {
            choice: SetChoice::Whole,
            set: &self.whole,
            reason: None,
        }
    }

    /// The set that a subset stands for.
    #[inline]
    pub(crate) fn asked(&self, subset: ChosenSubset) -> Asked<'_> {
        let choice = subset.choice;
        match (self.set(choice), choice) {
            (Some(set), _) => Asked::Set(AskedSet {
                choice,
                set,
                reason: Some(subset.reason),
            }),
            (None, SetChoice::Host { priority, host }) => Asked::Host { priority, host },
            (None, _) => Asked::Nobody,
        }
    }
}

impl Subsets {
    /// The subset that these criteria ask first.
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
