//! Inspectors: what the policy chose the host from.
//!
//! They read the engine's own tables, schedules and subsets.

mod maglev;
mod queue;
mod ring;
mod samples;
mod served;
mod subsets;
mod table;

pub use maglev::{MaglevView, NearSlot};
pub use queue::QueueView;
pub use ring::{NearEntry, RingArc, RingView};
pub use samples::{Sample, SampleView};
pub use subsets::{SelectorBranch, SubsetLeaf, SubsetTree};
pub use table::TableShare;

use spillgate_core::{decide::Decision, snapshot::HostRef};

use super::{TraceRequest, TraceStage, TracedRequest};
use served::ServedTable;

/// The inspectors of a decision. Each is `None` if it does not apply.
#[derive(Debug, Default)]
pub struct Inspectors {
    /// The ring of the chosen priority.
    pub ring: Option<RingView>,
    /// Its Maglev table.
    pub maglev: Option<MaglevView>,
    /// The next picks of its rotation or schedule.
    pub queue: Option<QueueView>,
    /// The random hosts that `LEAST_REQUEST` compared.
    pub samples: Option<SampleView>,
    /// The subsets of the cluster.
    pub subsets: Option<SubsetTree>,
}

impl Inspectors {
    /// The inspectors of a request. `inspected` is the selected host.
    #[must_use]
    pub fn new(
        stage: &TraceStage,
        request: &TraceRequest,
        traced: &TracedRequest,
        inspected: Option<HostRef>,
    ) -> Self {
        let table = ServedTable::new(stage, &traced.decision);
        let queue = QueueView::new(stage, request, traced);
        Self {
            ring: table.as_ref().and_then(|table| table.ring(inspected)),
            maglev: table.as_ref().and_then(ServedTable::maglev),
            samples: match queue {
                Some(_) => None,
                None => SampleView::new(stage, request, traced),
            },
            queue,
            subsets: SubsetTree::new(stage, &traced.decision),
        }
    }
}

/// The set of hosts that served a decision.
const fn set_of(decision: &Decision) -> spillgate_core::subset::SetChoice {
    match decision.subset {
        Some(subset) => subset.choice,
        None => spillgate_core::subset::SetChoice::Whole,
    }
}
