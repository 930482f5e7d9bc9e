//! The engine against the real Envoy over random topologies.
//!
//! [`generate`] makes scenarios out of a seed; [`Batch`] lets one Envoy process serve many of them
//! and reports the chosen host of every request; [`Predictor`] asks the engine for the same;
//! [`compare`] holds the two against each other, determined picks one by one and random ones by
//! their counts, retries attempt by attempt. [`run`] does that for as many as wanted; what differs is [shrunk](shrink) and
//! [recorded](record) as a scenario folder, on which `spillgate conformance` fails.

mod attempts;
mod batch;
mod compare;
mod failure;
mod features;
pub mod generate;
mod observations;
mod options;
mod predict;
mod record;
mod reduce;
mod run;
mod runtime;
mod scenario;
mod settings;
mod shrink;

pub use batch::Batch;
pub use compare::{Compared, compare};
pub use failure::{FailureKind, ScenarioFailure};
pub use features::{Features, Used};
pub use observations::{Observations, Observed};
pub use options::{DifferentialCommand, parse};
pub(crate) use predict::read;
pub use predict::{Predictor, Sabotage};
pub use record::record;
pub use run::{Summary, run};
pub use runtime::StaticValue;
pub(crate) use scenario::renamed;
pub use scenario::{Asked, DifferentialScenario, Surroundings};
pub use settings::DifferentialSettings;
pub use shrink::shrink;
