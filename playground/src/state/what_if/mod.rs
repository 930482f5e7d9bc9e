//! The What-if screen without a page: what can be lost, what comes of it, what is promised.
//!
//! The figures are those of `spillgate-sim`; this only arranges them.

mod answer;
mod chart;
mod command;
mod options;
mod promise;
mod stage;

pub use answer::{Before, LossAnswer, answer};
pub use chart::{Bar, bars};
pub use command::{ShellCommand, command};
pub use options::{LossOption, options};
pub use promise::{Promise, check, suggestion};
pub use stage::{Question, Stage, ZoneLine};

#[cfg(test)]
mod tests;
