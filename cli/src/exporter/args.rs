//! The arguments of `spillgate exporter`.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{ArgGroup, Args};

/// The longest `--interval`. Readings that are further apart than a minute may miss a change and its reversal, and a
/// response may take its time.
pub(super) const LONGEST: Duration = Duration::from_secs(45);

/// The shortest one: Envoy writes a response in its main thread.
pub(super) const SHORTEST: Duration = Duration::from_secs(1);

/// The notes and examples at the end of `--help`.
pub(crate) const EXAMPLES: &str = "TARGET: [NAME=]http://HOST:PORT, [NAME=]unix:PATH, or [NAME=]dns:HOST:PORT for all addresses of\n\
    a name.\n\n\
    Examples:\n  \
    spillgate exporter --admin http://localhost:9901\n  \
    spillgate exporter --targets targets.txt --listen 0.0.0.0:9902 --cluster 'shop-*'";

/// The options of `spillgate exporter`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("targets-source").args(["admin", "targets"]).required(true))]
pub(crate) struct ExporterArgs {
    /// Admin interface of an Envoy; repeatable.
    #[arg(long, value_name = "TARGET")]
    pub(crate) admin: Vec<String>,
    /// File with a target on each line. It is read again once an interval.
    #[arg(long, value_name = "FILE")]
    pub(crate) targets: Option<PathBuf>,
    /// Address to serve /metrics at; port 0 is a free one.
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:9902")]
    pub(crate) listen: SocketAddr,
    /// Time between two readings of an Envoy: a duration from 1s to 45s.
    #[arg(long, value_name = "TIME", default_value = "15s")]
    pub(crate) interval: String,
    /// Publish only clusters with this name or pattern (*, ?, [ab]); repeatable [default: all].
    #[arg(long = "cluster", value_name = "NAME")]
    pub(crate) clusters: Vec<String>,
    /// Publish at most so many clusters of each Envoy, the first by name.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) most_clusters: usize,
    /// Longest time for each response, such as 500ms or 2m.
    #[arg(long = "admin-timeout", value_name = "TIME", default_value = "5s")]
    pub(crate) timeout: String,
}
