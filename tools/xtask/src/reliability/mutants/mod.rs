//! `cargo xtask reliability mutants`: small changes of the code, each of which a test should notice.
//!
//! cargo-mutants makes the changes and runs the tests of the changed crate. What these do not notice is
//! tried with the reference data in `vectors/`, which the tests of `spillgate-conformance` run. A change that no test
//! can notice is listed in `tests/mutants.json` with the reason; any other survivor is an error.
//!
//! Everything is in `target/mutants/`: a copy of the sources, in which cargo-mutants works, its build, and
//! the outcomes. A change that has an outcome is not tried again while its file stays the same, so the
//! command can be stopped at any time, and a larger sample continues a smaller one.

mod folder;
mod known;
mod list;
mod outcomes;
mod report;
mod run;
mod select;

pub use run::run;

/// The packages whose code is changed, without their prefix `spillgate-`: the engine, the request path, what
/// explains and predicts, and the readers.
pub const PACKAGES: [&str; 9] = [
    "core", "steer", "lint", "sim", "explain", "config", "mesh", "grpc", "codec",
];

/// The arguments of the command.
#[derive(Debug, Default)]
pub struct MutantsOptions {
    /// Packages, without their prefix; none: all.
    pub packages: Vec<String>,
    /// One part of all changes.
    pub shard: Option<MutantsShard>,
    /// At most so many changes of each package, at random.
    pub sample: Option<usize>,
    /// Decides which.
    pub seed: u64,
    /// Only changes in lines that differ from this commit.
    pub changed: Option<String>,
    /// Whether to try those again that no test noticed before.
    pub again: bool,
    /// Whether to print the figures of what was tried, without trying more.
    pub figures: bool,
}

/// Part `index` (from 1) of `count` parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MutantsShard {
    index: usize,
    count: usize,
}
