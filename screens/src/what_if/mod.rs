//! The What-if screen: the selection, the result of a loss, the expectations.
//!
//! `spillgate-sim` computes the figures; this module arranges them, and [`view`] draws them.

mod answer;
mod chart;
mod command;
mod expectation;
mod options;
mod question;
mod stage;
mod view;

pub use answer::{BeforeAfter, LossAnswer, answer};
pub use chart::{Bar, bars};
pub use command::command;
pub use expectation::{ExpectationRow, check, suggestion};
pub use options::{LossOption, options};
pub use question::Question;
pub use stage::{Stage, ZoneLine};
pub(crate) use view::WhatIf;

#[cfg(test)]
mod tests;
