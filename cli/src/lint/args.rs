//! The arguments of `spillgate lint`.

use clap::ValueEnum;

use crate::config::ConfigArgs;

/// What `--help` shows at its end.
pub(crate) const EXAMPLES: &str = "Examples:\n  \
    spillgate lint envoy.yaml\n  \
    spillgate lint envoy.yaml --fix-plan\n  \
    spillgate lint envoy.yaml --format sarif > lint.sarif\n  \
    curl -s localhost:9901/config_dump?include_eds | spillgate lint -\n\n\
    Exit status 1: an error was found. docs/lint.md describes every rule.";

/// What to lint, and how to write what was found.
#[derive(Debug, clap::Args)]
pub struct LintArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t = LintFormat::Text)]
    pub(crate) format: LintFormat,
    /// Add the changes that mend what was found.
    #[arg(long)]
    pub(crate) fix_plan: bool,
}

/// How findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    /// For people, with the line; coloured on a terminal unless NO_COLOR is set.
    Text,
    /// A list of objects.
    Json,
    /// SARIF 2.1.0, for annotations in code hosting.
    Sarif,
}
