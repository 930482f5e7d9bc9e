//! Traces: the steps of a decision as typed data.
//!
//! The engine writes no text. The web page, the CLI and the trace header render the steps. Each
//! [`Step`] has its [figures](StepData) and a [reference](ConfigRef) to the part of the
//! configuration that it depends on.
//!
//! # Examples
//! ```
//! use spillgate_core::{
//!     decide::{BalancerState, Request, decide},
//!     draw::SplitMix64,
//!     model::*,
//!     route::HeaderList,
//!     snapshot::Snapshot,
//!     trace::{Step, StepKind},
//! };
//!
//! let shop = PlainCluster {
//!     priorities: vec![Priority::single_locality(vec![Endpoint::new("10.0.0.1:80")])],
//!     ..PlainCluster::default()
//! };
//! let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
//! let mut draw = SplitMix64::new(7);
//! let mut state = BalancerState::new(&snapshot, &mut draw);
//! let headers = HeaderList::<&str, &str>(&[]);
//! let request = Request::new(snapshot.cluster_id("shop").unwrap(), &headers);
//!
//! let mut steps: Vec<Step> = Vec::new();
//! decide(&snapshot, &mut state, &request, &mut draw, &mut steps);
//! let kinds: Vec<StepKind> = steps.iter().map(Step::kind).collect();
//! assert_eq!(kinds, [StepKind::Route, StepKind::Priority, StepKind::Host]);
//! ```

mod config_ref;
mod figures;
mod numbers;
mod session_host;
mod step;

pub use config_ref::{ConfigRef, PriorityRef};
pub use figures::{
    ChainStepOutcome, ChainStepTried, ChosenBy, DrawnFraction, EmptyTable, HostChoice,
    LocalityChoice, LocalityRule, MemberChoice, PriorityChoice, RetriedCluster, RetryExclusion,
    SessionHostFound, WeightedChoice,
};
pub use numbers::{
    HostNumbers, LocalityNumbers, NumberSource, OtherZone, OverloadedHost, ZoneNumbers,
};
pub use session_host::{OverrideTarget, SessionHost, SessionMove};
pub use step::{RequestChanger, Step, StepData, StepKind};

use alloc::vec::Vec;

/// Receives the steps of a decision.
///
/// Steps are passed as closures, so that a trace that is not requested costs nothing.
pub trait Trace {
    /// Whether the steps have the numbers that lead to their results. Without, those of localities and hosts are
    /// `None`, and nothing is remembered for them.
    const NUMBERED: bool = false;

    /// Takes a step.
    fn step(&mut self, step: impl FnOnce() -> Step);

    /// Takes an optional step.
    fn step_if(&mut self, step: impl FnOnce() -> Option<Step>);
}

/// Ignores every step.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTrace;

impl Trace for NoTrace {
    fn step(&mut self, _: impl FnOnce() -> Step) {}

    fn step_if(&mut self, _: impl FnOnce() -> Option<Step>) {}
}

impl Trace for Vec<Step> {
    fn step(&mut self, step: impl FnOnce() -> Step) {
        self.push(step());
    }

    fn step_if(&mut self, step: impl FnOnce() -> Option<Step>) {
        self.extend(step());
    }
}

/// Takes steps with the numbers that lead to their results.
#[derive(Debug)]
pub struct NumberedSteps<'a>(pub &'a mut Vec<Step>);

impl Trace for NumberedSteps<'_> {
    const NUMBERED: bool = true;

    fn step(&mut self, step: impl FnOnce() -> Step) {
        self.0.push(step());
    }

    fn step_if(&mut self, step: impl FnOnce() -> Option<Step>) {
        self.0.extend(step());
    }
}

/// Takes the steps if there is a trace.
impl<T: Trace> Trace for Option<T> {
    const NUMBERED: bool = T::NUMBERED;

    fn step(&mut self, step: impl FnOnce() -> Step) {
        if let Some(trace) = self {
            trace.step(step);
        }
    }

    fn step_if(&mut self, step: impl FnOnce() -> Option<Step>) {
        if let Some(trace) = self {
            trace.step_if(step);
        }
    }
}
