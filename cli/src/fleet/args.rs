//! The arguments of `spillgate fleet`.

use std::path::PathBuf;

use clap::ValueEnum;
use spillgate_sim::fleet::LostCallers;

use crate::{config::ConfigArgs, mesh::MeshArgs};

/// The notes and examples at the end of `--help`.
pub(crate) const EXAMPLES: &str = "\
ZONE:     a zone or REGION/ZONE of a host, or REGION/ZONE/SUB_ZONE of a zone without hosts
SELECTOR: as in what-if: zone=, priority=, cluster=, host=IP:PORT, subset.KEY=, ...
EXPR:     utilization <= 80%, load(zone=b) <= 5000, imbalance <= 1.5, cross_zone <= 100 (GB/h),
          cost <= 5 (per hour), no overload, no 503, no panic, survives n-1; with n-1 or n-2 behind
          the figure after the loss of any zones. Exit status 1 if one does not hold.

Examples:
  spillgate fleet fleet.yaml --callers a=40,b=10 --rps 10 --capacity 100rps --expect 'no 503 n-1'
  spillgate fleet fleet.yaml --rps a=200,b=100 --bytes 20000 --cost cross-zone=0.01";

/// The options of `spillgate fleet`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct FleetArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
    /// Clusters, also by pattern; repeatable. Each gets the requests of --rps [default: the only one].
    #[arg(long = "cluster", value_name = "NAME")]
    pub(crate) clusters: Vec<String>,
    /// Proxies in each zone [default: the local cluster or the Dataplanes].
    #[arg(long, value_name = "ZONE=N,...", conflicts_with_all = ["callers_from", "prometheus"])]
    pub(crate) callers: Option<String>,
    /// Count the pods of kubectl get pods,nodes -o json; repeatable.
    #[arg(long, value_name = "FILE", conflicts_with = "prometheus")]
    pub(crate) callers_from: Vec<PathBuf>,
    /// Count the proxies of each zone in Prometheus: http://HOST:PORT.
    #[arg(long, value_name = "URL", requires = "query")]
    pub(crate) prometheus: Option<String>,
    /// Instant query with the number of proxies in each zone.
    #[arg(long, value_name = "QUERY", requires = "prometheus")]
    pub(crate) query: Option<String>,
    /// Label of its series with the zone [default: zone].
    #[arg(long, value_name = "LABEL", requires = "prometheus")]
    pub(crate) zone_label: Option<String>,
    /// Requests per second of each proxy.
    #[arg(long, value_name = "[ZONE=]N,...", allow_negative_numbers = true)]
    pub(crate) rps: Option<String>,
    /// Bytes of a request and its response.
    #[arg(long, value_name = "[ZONE=]N,...", allow_negative_numbers = true)]
    pub(crate) bytes: Option<String>,
    /// What each host can take: 200rps, ZONE=200rps, SELECTOR:200rps; repeatable.
    #[arg(long, value_name = "CAPACITY")]
    pub(crate) capacity: Vec<String>,
    /// Price of a GB: cross-zone=P, cross-region=P, A->B=P; repeatable.
    #[arg(long, value_name = "PRICE")]
    pub(crate) cost: Vec<String>,
    /// Lose up to this many zones: 0, 1, 2 [default: 1].
    #[arg(long, value_name = "ZONES", value_parser = clap::value_parser!(u8).range(0..=2))]
    pub(crate) n_minus: Option<u8>,
    /// Callers in a lost zone: stay, fail, move [default: stay].
    #[arg(long, value_enum, value_name = "WHAT", hide_possible_values = true)]
    pub(crate) lost_callers: Option<LostCallersArg>,
    /// Values of these options in a YAML or JSON file.
    #[arg(long, value_name = "FILE")]
    pub(crate) fleet: Option<PathBuf>,
    /// Expectation; repeatable.
    #[arg(long, value_name = "EXPR")]
    pub(crate) expect: Vec<String>,
    /// Subset criteria of the requests [default: no criteria].
    #[arg(long, value_name = "K=V,...")]
    pub(crate) criteria: Option<String>,
    /// Print all rows instead of the worst.
    #[arg(long)]
    pub(crate) all: bool,
    /// Output format: text, json, csv (a line for each host), markdown, svg.
    #[arg(long, value_enum, default_value_t = FleetFormat::Text, hide_possible_values = true)]
    pub(crate) format: FleetFormat,
}

/// The output format of a fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FleetFormat {
    /// Text for terminals.
    Text,
    /// One JSON object with full precision.
    Json,
    /// One line for each host, with full precision.
    Csv,
    /// Markdown tables.
    Markdown,
    /// A picture of the utilization of each zone in each case.
    Svg,
}

/// What the callers of a lost zone do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LostCallersArg {
    /// They send as before.
    Stay,
    /// They fail with the zone.
    Fail,
    /// The callers of other zones get their requests.
    Move,
}

impl LostCallersArg {
    pub(super) const fn policy(self) -> LostCallers {
        match self {
            Self::Stay => LostCallers::Stay,
            Self::Fail => LostCallers::Fail,
            Self::Move => LostCallers::Move,
        }
    }
}
