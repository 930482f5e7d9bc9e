//! Lint rules: valid settings with unintended effects.
//!
//! [`lint`] checks a configuration that `spillgate_config::envoy::read_for_lint` has read and
//! reports the problem, its place, its effect on traffic and the remedy. Figures come from the
//! engine, not from rules of thumb: shares, losses and panic thresholds are those of a snapshot.
//!
//! The crate parses no text: everything that rules need beyond the model is in the configuration's
//! facts. [`RULES`] is the whole catalog; ids never change.
//!
//! With the feature `mesh`, `lint_mesh` checks documents of Kuma and Istio with `MESH_RULES`.
//!
//! Envoy accepts configurations that cannot work, so these mistakes are not read errors.
//! `read_for_lint` tolerates the few errors that rules cover and Envoy rejects. The readers add a
//! fact where they read the value, so each default is defined once. In doubt a rule reports
//! nothing: it does not hold missing parts (a filter from ECDS, clusters from a control plane)
//! against a configuration.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

mod attempts;
mod catalog;
mod context;
mod ejection;
mod figures;
mod finding;
mod json;
mod lint;
mod losing;
#[cfg(feature = "mesh")]
mod mesh;
mod not_modeled;
mod reached;
mod rejected_update;
mod rule;
mod rules;
mod sink;
mod steered_filter;
mod ways;

pub use catalog::RULES;
pub use finding::{ConfigEdit, Finding, Severity};
pub use lint::lint;
#[cfg(feature = "mesh")]
pub use mesh::{MESH_RULES, MeshFinding, MeshRule, lint_mesh};
pub use not_modeled::{NOT_MODELED, NOT_MODELED_SUMMARY, not_modeled};
pub use rejected_update::{CONFIG_REJECTED, CONFIG_REJECTED_SUMMARY, rejected_updates};
pub use rule::Rule;
pub use steered_filter::{FILTER_REJECTED, FILTER_REJECTED_SUMMARY, rejected_filters};
