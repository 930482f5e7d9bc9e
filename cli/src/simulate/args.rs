//! The arguments of `spillgate simulate`.

use std::path::PathBuf;

use clap::ValueEnum;

/// The notes and examples at the end of `--help`.
pub const EXAMPLES: &str = "\
SCENARIO has the clusters, the clients, the gateways and timed events. The same scenario and seed
give the same run. Exit status 1: a rule was broken; the output has the command that replays the run.

Examples:
  spillgate simulate scenario.yaml --seed 7 --log
  spillgate simulate scenario.yaml --runs 50 --format json";

/// The options of `spillgate simulate`.
#[derive(Debug, clap::Args)]
pub struct SimulateArgs {
    /// Scenario in YAML or JSON: a file, or `-` for standard input.
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenario: PathBuf,
    /// Seed of the first run [default: the scenario's, else 0].
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// Number of runs; each uses the next seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) runs: u64,
    /// Print each event of the run.
    #[arg(long, conflicts_with = "runs")]
    pub(crate) log: bool,
    /// Output format: text, json.
    #[arg(long, value_enum, default_value_t = Format::Text, hide_possible_values = true)]
    pub(crate) format: Format,
}

/// The output format of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for terminals.
    Text,
    /// One JSON object (docs/schemas/simulate.schema.json).
    Json,
}
