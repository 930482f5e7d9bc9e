//! Text in, model out: Envoy configuration and the filter's own.
//!
//! JSON and YAML become one tree whose every value knows its line and column ([`node`]); a
//! proto3-JSON layer reads Envoy's messages from it, collecting every fault instead of stopping
//! at the first; [`envoy`] and [`filter`] turn the messages into the engine's legal model.
//! [`clusters`] lays what a running Envoy says of its hosts over that model;
//! [`decision`] writes the engine's answers as JSON.
//!
//! The crate reads no files, asks no network and logs nowhere: texts are arguments and faults are
//! [`Diagnostic`]s. It does not repeat the engine's rules; what is legal is decided by
//! `spillgate-core`'s types.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod clusters;
pub mod envoy;
pub mod filter;
pub mod node;
pub mod proto;
pub mod steered;
pub mod write;

mod diagnostic;

pub use diagnostic::{Diagnostic, DiagnosticSeverity, Position};
pub use proto::nearest;
