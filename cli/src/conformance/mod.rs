//! Holds the engine against recorded vectors: what Envoy's documentation, its unit tests and its
//! binary say.
//!
//! Three things are units: an entry of a vector file, a file that is one vector, and a scenario
//! folder (a configuration, requests, and where Envoy sent them). Nothing is skipped silently: an
//! entry that the engine does not know fails, unless it is named as pending. Only [`replay`] starts
//! an Envoy, another one than the recordings come from; recordings are made elsewhere.

pub mod chi_square;
mod compare;
mod envoy;
mod json;
mod kinds;
mod lint;
mod pending;
mod report;
mod scenario;
mod vectors;
mod walk;

pub use json::to_json;
pub use pending::Pending;
pub use report::{ConformanceReport, Unit};
pub use walk::{replay, run, run_telling};
