//! The arguments of `spillgate lint`.

use clap::ValueEnum;

use crate::{config::ConfigArgs, mesh::IstioArgs};

/// The notes and examples at the end of `--help`.
pub(crate) const EXAMPLES: &str = "Exit status 1: lint reports an error. spillgate explain-code RULE describes a rule.\n\n\
    Examples:\n  \
    spillgate lint policy.yaml dataplanes.yaml\n  \
    curl -s 'localhost:9901/config_dump?include_eds' | spillgate lint -";

/// The options of `spillgate lint`.
#[derive(Debug, clap::Args)]
pub struct LintArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) istio: IstioArgs,
    /// Output format: text, json, sarif (2.1.0, for annotations in code hosting).
    #[arg(long, value_enum, default_value_t = LintFormat::Text, hide_possible_values = true)]
    pub(crate) format: LintFormat,
    /// Add the changes that fix each finding.
    #[arg(long)]
    pub(crate) fix_plan: bool,
}

/// The output format of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    /// Text for terminals, with the line in the configuration.
    Text,
    /// A JSON list of objects.
    Json,
    /// SARIF 2.1.0, for annotations in code hosting.
    Sarif,
}
