//! `cargo xtask reliability`: the checks that are too long for every test run.
//!
//! Each check has a short form, which `cargo xtask test` runs, and a full form, which this command
//! runs one check at a time. docs/reliability.md has a row for each, and tools/xtask/reliability.json its
//! last full result. [`mutants`] checks the tests themselves.

mod check;
mod checks;
mod document;
mod last_result;
mod mutants;
mod run;
mod sanitizer;

use std::ffi::OsString;

pub use mutants::{MutantsOptions, run as run_mutants};
pub use run::run;

/// The arguments of the command.
#[derive(Debug, Default)]
pub struct ReliabilityOptions {
    /// The checks to run; none: list them.
    pub names: Vec<String>,
    /// Whether to write the results into tools/xtask/reliability.json.
    pub record: bool,
    /// Further arguments of the program of a comparison; those of the full form come first.
    pub arguments: Vec<OsString>,
}
