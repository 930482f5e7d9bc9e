//! The arguments of `spillgate explain`.

use std::net::SocketAddr;

use clap::{Args, ValueEnum, value_parser};

use crate::{
    config::ConfigArgs,
    pick::{LOCAL, MAXIMUM_ATTEMPT, SOURCE},
};

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// The path of the request, with its query.
    #[arg(long, value_name = "P", default_value = "/")]
    pub(crate) path: String,
    /// A header of the request; may be given several times.
    #[arg(long = "header", value_name = "K:V", value_parser = header)]
    pub(crate) headers: Vec<(String, String)>,
    /// The method of the request.
    #[arg(long, value_name = "M", default_value = "GET")]
    pub(crate) method: String,
    /// The host that the request names.
    #[arg(long, value_name = "NAME", default_value = "localhost")]
    pub(crate) host: String,
    /// The client's end of the connection.
    #[arg(long, value_name = "IP:PORT", default_value = SOURCE)]
    pub(crate) source: SocketAddr,
    /// The proxy's end of the connection.
    #[arg(long, value_name = "IP:PORT", default_value = LOCAL)]
    pub(crate) local: SocketAddr,
    /// The number of the attempt; 0 is the first.
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = value_parser!(u32).range(..=i64::from(MAXIMUM_ATTEMPT)))]
    pub(crate) attempt: u32,
    /// A host that an earlier attempt used; may be given several times.
    #[arg(long, value_name = "IP:PORT")]
    pub(crate) tried: Vec<SocketAddr>,
    /// The active requests of a host; may be given several times.
    #[arg(long, value_name = "IP:PORT=N", value_parser = active)]
    pub(crate) active: Vec<(String, u32)>,
    /// The session of the client: the value of the route's session cookie or header.
    #[arg(long, value_name = "TOKEN|COOKIE")]
    pub(crate) session: Option<String>,
    /// The time for cookie expiry, in seconds since 1970; by default now.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) now: Option<u64>,
    /// The listener that receives the request; by default the first that has routes.
    #[arg(long, value_name = "NAME")]
    pub(crate) listener: Option<String>,
    /// Skip routing and use this cluster; without a route only its own hash policy applies.
    #[arg(long, value_name = "NAME", conflicts_with = "listener")]
    pub(crate) cluster: Option<String>,
    /// The seed of random choices. The same seed gives the same output everywhere.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Output format.
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
    pub(crate) format: ExplainFormat,
}

/// How an explanation is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// Text for terminals.
    Text,
    /// One line: the decision, its steps and their places (docs/schemas/explain.schema.json).
    Json,
}

fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        }
        _ => Err("expected NAME:VALUE".into()),
    }
}

fn active(text: &str) -> Result<(String, u32), String> {
    let parts = text.rsplit_once('=').and_then(|(address, count)| {
        let address: SocketAddr = address.parse().ok()?;
        Some((address.to_string(), count.parse().ok()?))
    });
    parts.ok_or_else(|| "expected IP:PORT=N".into())
}
