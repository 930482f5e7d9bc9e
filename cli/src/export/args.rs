//! The arguments of `spillgate export`.

use clap::ValueEnum;
use spillgate_codec::link::Disclosure;
use spillgate_export::FileFormat;

use crate::{config::ConfigArgs, fallback::Fallback};

/// The notes and examples at the end of `--help`.
pub(crate) const EXAMPLES: &str = "The output has the modeled settings: clusters, hosts and routes. \
    Listeners get ports of 127.0.0.1,\nstarting at 10000.\n\n\
    Examples:\n  \
    spillgate export clusters.yaml --to filter > filter.json\n  \
    spillgate export envoy.yaml --to svg --target shop --replace-names > shop.svg";

/// The options of `spillgate export`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Output: envoy-yaml, envoy-json, filter (configuration of the Spillgate filter), filter-clusters
    /// (Envoy's clusters for the filter), native (an Envoy with the dynamic module), scenario (Envoy JSON
    /// with --lose and --expect, for what-if), markdown, csv, svg.
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) to: To,
    /// Target cluster of the filter [default: the only cluster outside of aggregates]; shown cluster
    /// of scenario, markdown and svg [default: an aggregate, else the one with most priorities].
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,
    /// What serves requests without a host of the filter's list, for filter-clusters and native:
    /// isolation (no host, 503) or availability (any host).
    #[arg(
        long,
        value_enum,
        value_name = "CHOICE",
        default_value = "isolation",
        hide_possible_values = true
    )]
    pub(crate) fallback: Fallback,
    /// Lost hosts of a scenario; repeatable.
    #[arg(long, value_name = "SELECTOR:AMOUNT")]
    pub(crate) lose: Vec<String>,
    /// Expectation of a scenario; repeatable.
    #[arg(long, value_name = "EXPR")]
    pub(crate) expect: Vec<String>,
    /// Replace host addresses and hash keys, as links do. Routes are omitted.
    #[arg(long)]
    pub(crate) replace_addresses: bool,
    /// Also replace the names of clusters and zones.
    #[arg(long)]
    pub(crate) replace_names: bool,
}

impl ExportArgs {
    /// What a file for others discloses; `None` for a file without replacements.
    pub(crate) const fn disclosure(&self) -> Option<Disclosure> {
        match (self.replace_addresses, self.replace_names) {
            (_, true) => Some(Disclosure::Shape),
            (true, false) => Some(Disclosure::Names),
            (false, false) => None,
        }
    }
}

/// The output of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum To {
    /// An Envoy bootstrap in YAML.
    EnvoyYaml,
    /// An Envoy bootstrap in JSON, which can express every number in metadata.
    EnvoyJson,
    /// The configuration of the Spillgate filter.
    Filter,
    /// The clusters that Envoy needs for the Spillgate filter.
    FilterClusters,
    /// An Envoy bootstrap with the dynamic module.
    Native,
    /// An Envoy bootstrap in JSON with a what-if question.
    Scenario,
    /// Markdown tables of loads and hosts.
    Markdown,
    /// One line per host.
    Csv,
    /// The picture of the playground.
    Svg,
}

impl To {
    /// Whether the output is YAML, which has comments.
    pub(crate) const fn has_comments(self) -> bool {
        matches!(self, Self::EnvoyYaml | Self::FilterClusters | Self::Native)
    }

    /// The file that the playground can write too.
    pub(crate) const fn file(self) -> Option<FileFormat> {
        Some(match self {
            Self::EnvoyYaml => FileFormat::EnvoyYaml,
            Self::EnvoyJson => FileFormat::EnvoyJson,
            Self::Filter => FileFormat::Filter,
            Self::FilterClusters | Self::Native => return None,
            Self::Scenario => FileFormat::Scenario,
            Self::Markdown => FileFormat::Markdown,
            Self::Csv => FileFormat::Csv,
            Self::Svg => FileFormat::Svg,
        })
    }
}
