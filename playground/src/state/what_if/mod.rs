//! The What-if screen without a browser: the selection, the result of a loss, the expectations.
//!
//! `spillgate-sim` computes the figures; this module arranges them.

mod answer;
mod chart;
mod command;
mod expectation;
mod options;
mod stage;

pub use answer::{BeforeAfter, LossAnswer, answer};
pub use chart::{Bar, bars};
pub use command::{ShellCommand, command};
pub use expectation::{ExpectationRow, check, suggestion};
pub use options::{LossOption, options};
pub use stage::{Question, Stage, ZoneLine};

#[cfg(test)]
mod tests;
