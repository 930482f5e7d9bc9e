//! The text of the engine's answers: the steps of a decision as sentences, derivations as formulas, the
//! decision JSON, and the report of a cluster for tables, charts and what-if answers.
//!
//! The engine answers with typed data; this crate turns the data into text. The filter, the
//! command line and the playground use it, so that the same answer reads the same everywhere.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

pub mod decision;
pub mod format;
mod names;
mod quote;
pub mod report;
mod route_step;
mod shell_word;
mod step;
pub mod what_if;
mod why;

pub use names::{cluster_name, host_address, priority_name};
pub use quote::quoted_line;
pub use route_step::{chosen_cluster, matched_route, no_route};
pub use shell_word::shell_word;
pub use step::{FigureValue, StepFigure, arithmetic, derivation, figures, path_match, sentence};
pub use why::{Notation, WhyText};
