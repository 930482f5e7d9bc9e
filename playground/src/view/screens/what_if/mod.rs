//! The What-if screen: the selection, the result of a loss, the expectations.
//!
//! `spillgate-sim` computes the figures; this module arranges them, and [`view`] draws them.

mod command;
mod expectation;
mod loss_result;
mod question;
mod stage;
mod sweep_run;
mod view;

pub use command::command;
pub use expectation::{ExpectationRow, check, suggestion};
pub use loss_result::{BeforeAfter, LossAnswer, answer};
pub use question::Question;
pub use stage::{Stage, ZoneLine};
pub use sweep_run::{SweepRun, sweep_runs};
pub(crate) use view::WhatIf;

#[cfg(test)]
mod tests;
