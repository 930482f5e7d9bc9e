//! The arguments of `spillgate export`.

use clap::ValueEnum;

use crate::config::ConfigArgs;

/// Examples below the help.
pub(crate) const EXAMPLES: &str = "Examples:\n  \
    spillgate export envoy.yaml --to envoy-json > envoy.json\n  \
    spillgate export envoy.yaml --to filter --target shop > filter.json\n  \
    spillgate export envoy.yaml --to markdown\n  \
    spillgate export - --to csv < clusters.yaml\n\n\
    Only what is modelled is written: clusters with their hosts, and routes. Listeners get ports \
    of 127.0.0.1, from 10000 on.";

#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// What to write.
    #[arg(long, value_enum)]
    pub(crate) to: To,
    /// The cluster that the filter balances; by default the only one that is no other's member.
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,
}

/// What a model is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum To {
    /// An Envoy bootstrap in YAML.
    EnvoyYaml,
    /// An Envoy bootstrap in JSON; it carries every number in metadata.
    EnvoyJson,
    /// The configuration of the Spillgate filter.
    Filter,
    /// A table of the hosts for a document.
    Markdown,
    /// The hosts, one a line.
    Csv,
}
