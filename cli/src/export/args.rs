//! The arguments of `spillgate export`.

use clap::ValueEnum;
use spillgate_config::isolation::ListFallback;

use crate::config::ConfigArgs;

/// The notes and examples at the end of `--help`.
pub(crate) const EXAMPLES: &str = "The output has the modeled settings: clusters, hosts and routes. \
    Listeners get ports of 127.0.0.1,\nstarting at 10000.\n\n\
    Examples:\n  \
    spillgate export envoy.yaml --to filter --target shop > filter.json\n  \
    spillgate export envoy.yaml --to filter-clusters --target shop > clusters.yaml";

/// The options of `spillgate export`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Output: envoy-yaml, envoy-json, filter (configuration of the Spillgate filter), filter-clusters
    /// (Envoy's clusters for the filter), markdown, csv.
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) to: To,
    /// Target cluster of the filter [default: the only cluster outside of aggregates].
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,
    /// What serves requests without a host of the filter's list, for filter-clusters: isolation
    /// (no host, 503) or availability (any host).
    #[arg(
        long,
        value_enum,
        value_name = "CHOICE",
        default_value = "isolation",
        hide_possible_values = true
    )]
    pub(crate) fallback: Fallback,
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
    /// A Markdown table of the hosts.
    Markdown,
    /// One line per host.
    Csv,
}

/// What serves requests without a host of the filter's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fallback {
    /// No host: the request gets 503.
    Isolation,
    /// Any host of the cluster.
    Availability,
}

impl Fallback {
    /// The same choice for the writer.
    pub(crate) const fn of_list(self) -> ListFallback {
        match self {
            Self::Isolation => ListFallback::Isolation,
            Self::Availability => ListFallback::Availability,
        }
    }
}
