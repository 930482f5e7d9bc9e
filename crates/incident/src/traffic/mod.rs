//! Where requests go while nothing changes: the hosts as workers see them, and the attempts and failures of
//! requests with their retries.

mod cast;
mod flow;
mod outlook;
mod states;
mod view;

pub(crate) use cast::Cast;
pub(crate) use flow::{Flow, FlowInput};
pub use outlook::Timeouts;
pub(crate) use outlook::{FailureKind, Outlook};
pub(crate) use view::WorkerView;
