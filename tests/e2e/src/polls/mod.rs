//! What live health costs, and how soon the dynamic module follows Envoy: CPU time of a poll, how soon a change of health steers, and how soon
//! requests are steered after Envoy has started.
//!
//! An Envoy that polls and one that does not have the same clusters and run side by side; a sample
//! is the additional CPU time of the first one, divided by its polls. Envoy's own work for printing the hosts is part of
//! that; requests to the other one at the same pace show how much.

mod config;
mod figure;
mod native;
mod run;
mod startup;
mod targets;

pub use figure::PollFigure;
pub use run::run;
pub use startup::{FirstHosts, FirstRequests, start};
