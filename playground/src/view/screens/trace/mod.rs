//! The Trace screen: the decision for one request step by step, and for 1,000 requests.
//!
//! The engine decides and records the steps, as for `spillgate explain`; this module describes the
//! request and arranges the result, and [`view`] draws it.

mod active;
mod change;
mod command;
mod fields;
mod input;
mod inspector;
mod moved;
mod request;
mod routing;
mod sequence;
mod session;
mod shipped;
mod source;
mod stage;
mod traced;
mod view;
mod walk;

pub use active::ActiveByHost;
pub use change::{ChangeStage, TracedChange};
pub use command::{address_note, command};
pub use fields::{CriterionField, criterion_fields};
pub use input::{Addressee, Deciders, SentValue, SessionKind, TraceInput, TraceMode};
pub use inspector::{
    Inspectors, MaglevView, NearEntry, NearSlot, QueueView, RingArc, RingView, Sample, SampleView,
    SelectorBranch, SubsetLeaf, SubsetTree, TableShare,
};
pub use moved::{KEYS, MovedShares};
pub use request::TraceRequest;
pub use routing::{SOURCE, route_question, route_rows, routed_scenario, unrouted};
pub use sequence::{HostCount, REQUESTS, RequestSequence};
pub use shipped::{ComparedCount, ComparedValue, ShippedComparison, ShippedQuestion};
pub use source::{ConfigLine, ConfigSource};
pub use stage::{TraceStage, host_place};
pub use traced::{StepRow, TracedRequest};
pub(crate) use view::Trace;
pub use walk::{PACES, StepTime, Walk};

#[cfg(test)]
mod tests;
