//! The What-if screen: the losses, the result before and after, zones, the expectations.
//!
//! `spillgate-sim` computes the figures; this module arranges them, and [`view`] draws them.
//!
//! | file | content |
//! |---|---|
//! | `question` | the input |
//! | `stage` | what depends on the scenario alone |
//! | `sweep` | the amounts of one loss, in addition to the others |
//! | `loss_result` | the result of all losses |
//! | `views`, `traffic` | the traffic between zones |

mod command;
mod expectation;
mod loss_result;
mod question;
mod stage;
mod sweep;
mod sweep_run;
mod traffic;
mod view;
mod views;

pub use command::command;
pub use expectation::{ExpectationRow, check, suggestion};
pub use loss_result::{BeforeAfter, LossAnswer, answer};
pub use question::{LossInput, Question};
pub use stage::Stage;
pub use sweep::{Sweep, ZoneLine};
pub use sweep_run::{SweepRun, sweep_runs};
pub use traffic::{ZoneHosts, ZoneLossRow, ZonesTraffic};
pub(crate) use view::WhatIf;
pub use views::{ZoneView, ZoneViews};

#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod traffic_tests;
