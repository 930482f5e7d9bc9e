//! Rules for configurations that Envoy accepts and that do not do what they seem to.
//!
//! [`lint`] looks at a configuration that `spillgate_config::envoy::read_for_lint` has read and
//! says what is wrong, where, what traffic will see of it and what to change. Figures come from
//! the engine, never from a rule of thumb: shares, losses and panics are those of a snapshot.
//!
//! The crate reads no text of its own and knows no language: what it needs beyond the model
//! stands in the configuration's facts. [`RULES`] is the whole catalogue; an id never changes.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

mod catalogue;
mod context;
mod figures;
mod finding;
mod json;
mod lint;
mod rule;
mod rules;
mod ways;

pub use catalogue::RULES;
pub use finding::{ConfigEdit, Finding, Severity};
pub use lint::lint;
pub use rule::Rule;
