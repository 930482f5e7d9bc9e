//! Reads configurations into the engine's model: Envoy's and the filter's own.
//!
//! JSON and YAML become one tree in which every value has a line and a column ([`node`]). A proto3
//! JSON layer reads Envoy's messages from it and collects all faults instead of stopping at the
//! first. [`envoy`] and [`filter`] turn the messages into the engine's legal model. [`clusters`]
//! applies the hosts of a running Envoy to that model; [`write`](mod@write) writes models as
//! configurations.
//!
//! The crate reads no files, opens no connections and logs nothing: texts are arguments and faults
//! are [`Diagnostic`]s. It does not repeat the engine's rules; the types of `spillgate-core` decide
//! what is legal.
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
pub mod isolation;
#[cfg(feature = "mesh")]
pub mod mesh;
pub mod node;
pub mod proto;
#[cfg(feature = "yaml")]
pub mod question;
#[cfg(feature = "re2")]
pub mod re2;
#[cfg(feature = "yaml")]
pub mod runtime;
pub mod secret_metadata;
pub mod secret_names;
pub mod secret_text;
pub mod steered;
pub mod undecided;
pub mod write;

mod diagnostic;
mod field_name;
mod form;
mod header_name;
mod output;
mod secret_values;
mod sources;

pub use diagnostic::{Affects, Diagnostic, DiagnosticSeverity, MAXIMUM_DIAGNOSTICS, Position};
pub use proto::nearest;
pub use sources::{NamedText, SourceMap, SourcePlace};
