//! The step of the subset fallback chain that serves a request.

use super::{ChosenSubset, steps};
use crate::{
    model::Metadata,
    subset::{StepIndex, first_step},
    trace::Trace,
};

/// The first of a cluster's steps that serves.
pub(super) fn choose_step(
    steps: &mut dyn Iterator<Item = &StepIndex>,
    criteria: &Metadata,
    trace: &mut impl Trace,
) -> Option<ChosenSubset> {
    let (choice, reason) = first_step(steps, criteria, |at, index, verdict| {
        trace.step(|| steps::chain_step(at, index, verdict));
    })?;
    Some(ChosenSubset { choice, reason })
}
