//! The step of the subset fallback chain that serves a request, and the priorities that an
//! aggregate then spreads its requests over.

use super::{Facts, Loads, retry::with_retry};
use crate::{
    load::AggregateLoad,
    model::Metadata,
    snapshot::{AggregateSnapshot, ClusterId, HostRef, PlainSnapshot},
    subset::{ChosenSubset, StepIndex, Verdict, first_step},
};

/// No step of the chain serves the request: it finds no host.
pub(crate) struct NoStep;

/// The first of some steps that serves; `None` where there is no chain.
fn serving<'a>(
    mut steps: impl ExactSizeIterator<Item = &'a StepIndex>,
    criteria: &Metadata,
    looked: impl FnMut(usize, &'a StepIndex, Verdict),
) -> Result<Option<ChosenSubset>, NoStep> {
    if steps.len() == 0 {
        return Ok(None);
    }
    match first_step(&mut steps, criteria, looked) {
        Some(step) => Ok(Some(step)),
        None => Err(NoStep),
    }
}

impl PlainSnapshot {
    /// The step that serves these criteria; `looked` is called for each that is looked at.
    #[inline]
    pub(crate) fn serving_step<'a>(
        &'a self,
        criteria: &Metadata,
        looked: impl FnMut(usize, &'a StepIndex, Verdict),
    ) -> Result<Option<ChosenSubset>, NoStep> {
        serving(self.chain.iter().map(|step| &step.found), criteria, looked)
    }
}

/// The priorities of an aggregate's members that a request is spread over, in one line.
pub(crate) struct Linearized<'a> {
    pub(crate) line: &'a AggregateLoad<ClusterId>,
    /// The step of the chain that serves; the members' sets have the same number.
    pub(crate) step: Option<ChosenSubset>,
}

impl AggregateSnapshot {
    /// The priorities that serve these criteria; none where no step of the chain does.
    #[inline]
    pub(crate) fn linearized<'a>(
        &'a self,
        criteria: &Metadata,
        looked: impl FnMut(usize, &'a StepIndex, Verdict),
    ) -> Option<Linearized<'a>> {
        let steps = self.chain.iter().map(|step| &step.found);
        let step = serving(steps, criteria, looked).ok()?;
        let line = match step {
            None => &self.line,
            Some(step) => self.line(step.choice)?,
        };
        Some(Linearized { line, step })
    }
}

impl Linearized<'_> {
    /// Hands over the loads that decide the place in the line.
    #[inline]
    pub(crate) fn with_loads<R>(&self, facts: &Facts<'_>, then: impl FnOnce(&Loads<'_>) -> R) -> R {
        let place = |host: &HostRef| {
            let mut priorities = self.line.priorities.iter();
            priorities.position(|l| (l.cluster, l.number) == (host.cluster, host.priority))
        };
        with_retry(facts, &self.line.load, &place, then)
    }
}
