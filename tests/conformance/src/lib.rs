//! Conformance: compares the engine with recorded vectors from Envoy's documentation, its unit tests and its
//! binary. The command `spillgate conformance` runs it.
//!
//! A unit is an entry of a vector file, a file with one vector, or a scenario folder (a
//! configuration, requests, and the hosts that Envoy chose). Nothing is skipped silently: an entry
//! that the engine does not support fails. Only [`ConformanceRun::replay`] starts an Envoy, to compare it with the
//! recordings; it makes no recordings.
#![forbid(unsafe_code)]

pub mod chi_square;
mod compare;
mod envoy;
mod json;
mod kinds;
mod lint;
mod recorded;
mod report;
mod scenario;
mod vectors;
mod walk;

pub use json::to_json;
pub use report::{ConformanceReport, Unit};
pub use walk::ConformanceRun;
