//! The arguments of `spillgate incident`.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::{config::ConfigArgs, mesh::MeshArgs};

/// The notes and examples at the end of `--help`.
pub(crate) const EXAMPLES: &str = "\
HOSTS: a selector as in what-if: zone=a, host=IP:PORT, ... SPAN: 10s..70s, or 10s.. to the end.
EXPR:  detect <= 5s, first_detect <= 2s, recovered <= 60s, failed <= 0.5%, retried <= 5%,
       highest_load <= 50, no panic, no 503. Exit status 1 if one does not hold in a run.

Examples:
  spillgate incident incident.yaml --fail zone=a@10s..70s --rps 200 --expect 'no 503'
  spillgate incident incident.yaml outage.yaml --sweep interval=1s..10s";

/// The options of `spillgate incident`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct IncidentArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
    /// Script: events, load, expectations; also the last CONFIG.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Clusters, also by pattern; repeatable [default: all].
    #[arg(long = "cluster", value_name = "NAME")]
    pub(crate) clusters: Vec<String>,
    /// These hosts refuse connections; all events are repeatable.
    #[arg(long, value_name = "HOSTS@SPAN")]
    pub(crate) fail: Vec<String>,
    /// They answer N % with 500 (N%/503: with 503); health checks pass.
    #[arg(long, value_name = "HOSTS:N%@SPAN")]
    pub(crate) errors: Vec<String>,
    /// They answer after this time.
    #[arg(long, value_name = "HOSTS:TIME@SPAN")]
    pub(crate) slow: Vec<String>,
    /// They do not answer.
    #[arg(long = "timeout", value_name = "HOSTS@SPAN")]
    pub(crate) silent: Vec<String>,
    /// They refuse connections and work in turn, this long each.
    #[arg(long, value_name = "HOSTS:TIME@SPAN")]
    pub(crate) flap: Vec<String>,
    /// Their health checks report degraded.
    #[arg(long, value_name = "HOSTS@SPAN")]
    pub(crate) degraded: Vec<String>,
    /// EDS removes them, and adds them again.
    #[arg(long, value_name = "HOSTS@SPAN")]
    pub(crate) remove: Vec<String>,
    /// EDS adds them; they are missing before.
    #[arg(long, value_name = "HOSTS@SPAN")]
    pub(crate) add: Vec<String>,
    /// Requests per second to each cluster [default: 100].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) rps: Option<f64>,
    /// Time of answers, for the limits of active requests and retries.
    #[arg(long, value_name = "TIME")]
    pub(crate) service_time: Option<String>,
    /// Clients, each with a session (stateful_session).
    #[arg(long, value_name = "N")]
    pub(crate) sessions: Option<u32>,
    /// End of the simulated time [default: 2m after the last change].
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
    /// Expectation; repeatable.
    #[arg(long, value_name = "EXPR")]
    pub(crate) expect: Vec<String>,
    /// Compare values of a setting, such as interval=1s..10s.
    #[arg(long, value_name = "SETTING=FROM..TO", conflicts_with = "compare")]
    pub(crate) sweep: Option<String>,
    /// Compare with this configuration.
    #[arg(long, value_name = "OTHER")]
    pub(crate) compare: Option<PathBuf>,
    /// Subset criteria of the requests.
    #[arg(long, value_name = "K=V,...")]
    pub(crate) criteria: Option<String>,
    /// Runs with different phases and draws [default: up to 20].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) runs: Option<u32>,
    /// Seed of the first run.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print all rows instead of a screen.
    #[arg(long)]
    pub(crate) all: bool,
    /// Output: text, json, csv (timeline), markdown, svg.
    #[arg(long, value_enum, default_value_t = IncidentFormat::Text, hide_possible_values = true)]
    pub(crate) format: IncidentFormat,
}

/// The output format of an incident.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum IncidentFormat {
    /// Text for terminals.
    Text,
    /// One JSON object with full precision.
    Json,
    /// One line for each row of the timeline, with full precision.
    Csv,
    /// Markdown.
    Markdown,
    /// A picture of the timeline.
    Svg,
}
