//! The arguments of `spillgate what-if`.

use clap::ValueEnum;

use crate::{client_args::Client, config::ConfigArgs, mesh::MeshArgs, since_healthy::SinceArgs};

/// The notes and examples at the end of `--help`.
pub const EXAMPLES: &str = "\
At least one of --lose, --add, --set, --sweep, --n-minus, --failed and --expect is required, unless
CONFIG is a scenario (`export --to scenario`), which has its own question.
SELECTOR: comma-separated terms that must all match: zone=, region=, sub_zone=, locality=R/Z/S,
          priority=, cluster=, host=IP:PORT, subset.KEY=
AMOUNT:   a percentage of the usable hosts, or a number of hosts. Healthy hosts are lost first.
SETTING:  CLUSTER.FIELD=VALUE: lb_policy, overprovisioning_factor, healthy_panic_threshold, ...;
          CLUSTER[SELECTOR].load_balancing_weight=N (localities); an unknown FIELD lists all
EXPR:     load(P0) >= 60, load(cluster=c,priority=0) < 10, share(SELECTOR) <= 50, overload <= 2,
          panic_margin > 1, no panic, no 503, survives n-1; mesh documents: zone(a)->zone(b) <= 20.
          Exit status 1 if one does not hold in a cluster.

Examples:
  spillgate what-if envoy.yaml --lose zone=a:40% --expect 'load(P0) >= 60'
  spillgate what-if envoy.yaml --cluster shop --add zone=a:3 --set shop.table_size=5003";

/// The options of `spillgate what-if`.
#[derive(Debug, Clone, clap::Args)]
pub struct WhatIfArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
    /// Clusters, also by pattern (shop-*); repeatable [default: all].
    #[arg(long, value_name = "NAME")]
    pub(crate) cluster: Vec<String>,
    /// Lose these hosts; repeatable.
    #[arg(long, value_name = "SELECTOR:AMOUNT")]
    pub(crate) lose: Vec<String>,
    /// Add N healthy hosts to the locality of these; repeatable.
    #[arg(long, value_name = "SELECTOR:N")]
    pub(crate) add: Vec<String>,
    /// Change a field of a cluster; repeatable.
    #[arg(long, value_name = "SETTING")]
    pub(crate) set: Vec<String>,
    /// Remove these hosts one at a time, in addition to --lose.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) sweep: Option<String>,
    /// Lose each single zone (1), or each pair of zones (2).
    #[arg(long, value_name = "ZONES", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) n_minus: Option<u8>,
    /// Hosts that refuse connections: adds the odds of success; repeatable.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) failed: Vec<String>,
    /// Expectation after the loss; repeatable.
    #[arg(long, value_name = "EXPR")]
    pub(crate) expect: Vec<String>,
    /// Whose rules apply to the xDS: envoy, grpc, both.
    #[arg(long, value_enum, default_value_t = Client::Envoy, hide_possible_values = true)]
    pub(crate) client: Client,
    /// Subset criteria of the requests [default: no criteria].
    #[arg(long, value_name = "K=V,...")]
    pub(crate) criteria: Option<String>,
    #[command(flatten)]
    pub(crate) since: SinceArgs,
    /// List all of several clusters; by default a screen, worst first.
    #[arg(long)]
    pub(crate) all: bool,
    /// Output format: text, json, sarif (2.1.0).
    #[arg(long, value_enum, default_value_t = Format::Text, hide_possible_values = true)]
    pub(crate) format: Format,
}

impl WhatIfArgs {
    /// Whether they ask nothing.
    pub(crate) const fn is_empty(&self) -> bool {
        self.lose.is_empty()
            && self.add.is_empty()
            && self.set.is_empty()
            && self.failed.is_empty()
            && self.sweep.is_none()
            && self.n_minus.is_none()
            && self.expect.is_empty()
    }
}

/// The output format of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for terminals.
    Text,
    /// One JSON object with full precision.
    Json,
    /// SARIF 2.1.0.
    Sarif,
}
