//! What live health costs: CPU time of a poll, and how soon a change of health steers.
//!
//! An Envoy that polls and one that does not have the same clusters and run side by side; a sample
//! is what the first one used more in a while, by its polls in that while. What Envoy itself needs to print so many hosts is part of
//! that; asking the other one from outside at the same pace tells how much.

mod config;
mod run;

pub use run::{PollFigure, run};
