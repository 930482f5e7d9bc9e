//! The arguments of `spillgate simulate`.

use std::path::PathBuf;

use clap::ValueEnum;

/// Shown below the help text.
pub const EXAMPLES: &str = "\
Examples:
  spillgate simulate scenario.yaml
  spillgate simulate scenario.yaml --seed 7 --log
  spillgate simulate scenario.yaml --runs 50 --format json

SCENARIO is YAML or JSON: the clusters, how many clients and gateways there are, what happens and
when (docs/simulate.md). A run is a function of the scenario and its seed. If a rule is broken the
exit status is 1, and what is printed says how to see it again.";

/// A scenario, and how often it is run.
#[derive(Debug, clap::Args)]
pub struct SimulateArgs {
    /// The scenario, or `-`.
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenario: PathBuf,
    /// The seed of the first run; by default the scenario's.
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// How many runs, each with the next seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) runs: u64,
    /// Print everything that happens in the run, a line each.
    #[arg(long, conflicts_with = "runs")]
    pub(crate) log: bool,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// Every figure.
    Json,
}
