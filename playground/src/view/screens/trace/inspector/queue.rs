//! The next picks of a rotation or an EDF schedule.

use spillgate_core::inspect::{NextPick, next_picks};

use crate::view::screens::trace::{TraceRequest, TraceStage, TracedRequest};

/// The number of shown picks.
const PICKS: usize = 12;

/// The next picks from the host list of the request, which is the first of them.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueView {
    /// The picks, in order.
    pub picks: Vec<NextPick>,
    /// Whether a schedule picks: the hosts have different weights.
    pub is_scheduled: bool,
}

impl QueueView {
    pub(super) fn new(
        stage: &TraceStage,
        request: &TraceRequest,
        traced: &TracedRequest,
    ) -> Option<Self> {
        let picks = request.with(stage, &request.active, |request| {
            let (before, decision) = (&traced.before, &traced.decision);
            next_picks(&stage.snapshot, before, request, decision, PICKS)
        });
        Some(Self {
            is_scheduled: picks.first()?.deadline.is_some(),
            picks,
        })
    }
}
