//! The serving step of the subset fallback chain, and the linearized priorities of an aggregate for
//! that step.

use core::cell::Cell;

use super::{
    Facts, Loads,
    retry::{Asked, with_retry},
};
use crate::{
    load::AggregateLoad,
    model::Metadata,
    snapshot::{AggregateSnapshot, ClusterId, HostRef, PlainSnapshot},
    subset::{ChosenSubset, StepIndex, Verdict, first_step},
};

/// No step of the chain serves the request, so it has no host.
pub(crate) struct NoStep;

/// The first serving step; `None` without a chain.
fn serving<'a>(
    mut steps: impl ExactSizeIterator<Item = &'a StepIndex>,
    criteria: &Metadata,
    visit: impl FnMut(usize, &'a StepIndex, Verdict),
) -> Result<Option<ChosenSubset>, NoStep> {
    if steps.len() == 0 {
        return Ok(None);
    }
    match first_step(&mut steps, criteria, visit) {
        Some(step) => Ok(Some(step)),
        None => Err(NoStep),
    }
}

impl PlainSnapshot {
    /// The serving step for these criteria. `visit` is called for each step that is tried.
    #[inline]
    pub(crate) fn serving_step<'a>(
        &'a self,
        criteria: &Metadata,
        visit: impl FnMut(usize, &'a StepIndex, Verdict),
    ) -> Result<Option<ChosenSubset>, NoStep> {
        serving(self.chain.iter().map(|step| &step.found), criteria, visit)
    }
}

/// The linearized priorities of an aggregate for one request.
pub(crate) struct ServingPriorities<'a> {
    pub(crate) linearized: &'a AggregateLoad<ClusterId>,
    /// The serving step of the chain; the members' sets have the same number.
    pub(crate) step: Option<ChosenSubset>,
}

impl AggregateSnapshot {
    /// The linearized priorities for these criteria; `None` if no step of the chain serves.
    #[inline]
    pub(crate) fn serving_priorities<'a>(
        &'a self,
        criteria: &Metadata,
        visit: impl FnMut(usize, &'a StepIndex, Verdict),
    ) -> Option<ServingPriorities<'a>> {
        let steps = self.chain.iter().map(|step| &step.found);
        let step = serving(steps, criteria, visit).ok()?;
        let linearized = match step {
            None => &self.linearized,
            Some(step) => self.linearized_of(step.choice)?,
        };
        Some(ServingPriorities { linearized, step })
    }
}

impl ServingPriorities<'_> {
    /// Calls `then` with the loads that determine the linearized priority.
    #[inline]
    pub(crate) fn with_loads<R>(&self, facts: &Facts<'_>, then: impl FnOnce(&Loads<'_>) -> R) -> R {
        let tried = |host: &HostRef| {
            let mut priorities = self.linearized.priorities.iter();
            let at =
                priorities.position(|l| (l.cluster, l.number) == (host.cluster, host.priority));
            (at, Asked::Same)
        };
        with_retry(
            facts,
            &self.linearized.load,
            &Cell::new(false),
            &tried,
            then,
        )
    }
}
