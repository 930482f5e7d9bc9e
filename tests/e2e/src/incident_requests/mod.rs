//! Failed and retried requests, as `spillgate incident` predicts them, against the real Envoy.
//!
//! A [`RequestTrial`] is a cluster with random settings, hosts that fail, and requests at a constant rate. Envoy's log says how
//! many requests failed and how many retries there were. The prediction is that of the command for the very
//! configuration: many runs, whose distribution must have the counts. [`run`] does that for as many trials as wanted.

mod batch;
mod bootstrap;
mod command;
mod counts;
mod eds;
mod generate;
mod hosts;
mod imagined;
mod judge;
mod load;
mod options;
mod pauses;
mod predict;
mod run;
mod saved;
mod sessions;
mod summary;
mod trial;

pub use generate::trial;
pub use imagined::{RequestsSabotage, imagined};
pub use judge::{Figure, JudgedFigure};
pub use options::{IncidentRequestsOptions, parse};
pub use pauses::Pauses;
pub use run::{replay, run};
pub use summary::{JudgedTrial, RequestsSummary};
pub use trial::{RequestTrial, TrialEvent, TrialRetry};
