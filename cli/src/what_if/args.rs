//! The arguments of `spillgate what-if`.

use clap::{ArgGroup, ValueEnum};

use crate::config::ConfigArgs;

/// What `--help` shows at its end.
pub const EXAMPLES: &str = "\
Examples:
  spillgate what-if envoy.yaml --lose zone=a:40%
  spillgate what-if envoy.yaml --cluster shop --lose zone=a,priority=0:3 --format json
  spillgate what-if envoy.yaml --lose host=10.0.0.1:80:1 --lose subset.stage=canary:100%
  spillgate what-if envoy.yaml --lose zone=a:100% --sweep zone=b
  spillgate what-if envoy.yaml --n-minus 1
  spillgate what-if envoy.yaml --lose zone=a:40% --expect 'load(P0) >= 60' --expect 'no panic'

SELECTOR is made of terms that must all hold, with commas between them: zone=, region=, sub_zone=,
locality=REGION/ZONE/SUB_ZONE, priority=, cluster=, host=IP:PORT, subset.KEY=. AMOUNT is a
percentage, rounded half up to whole hosts, or a number of hosts. Usable hosts are lost first:
healthy, then degraded, then the rest, each from the end of configuration order.

EXPR is one of load(P0), load(cluster=c,priority=0), share(SELECTOR), overload, panic_margin,
compared by <, <=, =, >= or > to a number; or no panic, no 503, survives n-1, survives n-2. If one
does not hold the exit status is 1.";

/// A configuration, and what is lost of it.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("question").required(true).multiple(true)
    .args(["lose", "sweep", "n_minus", "expect"]))]
pub struct WhatIfArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// The cluster in question; by default the first one that has the hosts and is not a member of
    /// an aggregate.
    #[arg(long, value_name = "NAME")]
    pub(crate) cluster: Option<String>,
    /// Lose these hosts; may be given several times.
    #[arg(long, value_name = "SELECTOR:AMOUNT")]
    pub(crate) lose: Vec<String>,
    /// Remove these hosts one at a time, in addition to --lose; by default those that --lose selects.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) sweep: Option<String>,
    /// Lose each zone, or each two zones, of the configuration as it is.
    #[arg(long, value_name = "ZONES", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) n_minus: Option<u8>,
    /// What must hold after the loss; may be given several times.
    #[arg(long, value_name = "EXPR")]
    pub(crate) expect: Vec<String>,
    /// The subset criteria of the requests.
    #[arg(long, value_name = "K=V,...")]
    pub(crate) criteria: Option<String>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people; coloured on a terminal unless NO_COLOR is set.
    Text,
    /// Full precision.
    Json,
}
