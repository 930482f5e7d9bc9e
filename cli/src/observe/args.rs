//! The arguments of `spillgate observe`.

use std::{path::PathBuf, time::Duration};

use clap::{ValueEnum, value_parser};

/// The longest `--interval`.
pub(super) const LONGEST: Duration = Duration::from_secs(3600);

/// The notes and examples at the end of `--help`.
pub(crate) const EXAMPLES: &str = "Exit status 1: a share differs from the prediction, or Envoy counted no requests.\n\n\
    Examples:\n  \
    spillgate observe http://localhost:9901 --interval 2s --cluster shop\n  \
    spillgate observe unix:admin.sock --config envoy.yaml --interval 1s --format json";

/// The options of `spillgate observe`.
#[derive(Debug, clap::Args)]
pub(crate) struct ObserveArgs {
    /// Admin interface of the Envoy: http://HOST:PORT or unix:PATH.
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    /// Time to count requests: a duration such as 10s, at most 1h.
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub(crate) interval: String,
    /// Compare only this cluster or aggregate; repeatable [default: all with requests].
    #[arg(long = "cluster", value_name = "NAME")]
    pub(crate) clusters: Vec<String>,
    /// Model to compare with: hosts, weights and policies of this file, with the health of Envoy
    /// [default: Envoy's own configuration].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Subset criteria of the requests [default: no criteria].
    #[arg(long, value_name = "K=V,...")]
    pub(crate) criteria: Option<String>,
    /// Number of different hash keys or sessions of the requests [default: every request differs].
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub(crate) keys: Option<u64>,
    /// Output format: text, json.
    #[arg(long, value_enum, default_value_t = ObserveFormat::Text, hide_possible_values = true)]
    pub(crate) format: ObserveFormat,
    /// Longest time for each response, such as 500ms or 2m [default: 30s].
    #[arg(long = "admin-timeout", value_name = "TIME")]
    pub(crate) timeout: Option<String>,
}

/// The output format of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ObserveFormat {
    /// Tables for terminals.
    Text,
    /// One JSON object (docs/schemas/observe.schema.json).
    Json,
}
