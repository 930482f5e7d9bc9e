//! The steps of a decision as typed data. The page, the command line and the trace header render
//! them; the engine itself writes no text.

mod config_ref;
mod named;
mod step;

pub use config_ref::{ConfigRef, PriorityRef};
pub use named::{OverrideTarget, SessionHost, SessionMove};
pub use step::{
    ChainStepOutcome, ChainStepTried, ChosenBy, HostChoice, LocalityChoice, LocalityRule,
    MemberChoice, PriorityChoice, SessionHostFound, Step, StepData, StepKind, WeightedChoice,
};

use alloc::vec::Vec;

/// Receives the steps of a decision.
///
/// Steps are passed as closures, so that a trace that is not requested costs nothing.
pub trait Trace {
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

/// Takes the steps if there is a trace.
impl<T: Trace> Trace for Option<T> {
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
