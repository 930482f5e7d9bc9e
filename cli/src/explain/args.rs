//! The arguments of `spillgate explain`.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueEnum, value_parser};
use spillgate_answers::pick::MAXIMUM_ATTEMPT;
use spillgate_core::route::field_value;

use crate::{
    client_args::Client, config::ConfigArgs, mesh::MeshArgs, reported::ReportedArgs,
    since_healthy::SinceArgs,
};

/// The options of `spillgate explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
    #[command(flatten)]
    pub(crate) reported: ReportedArgs,
    /// Line of an access log, or `-`: its request, flags and host.
    #[arg(long, value_name = "LINE", conflicts_with = "cluster")]
    pub(crate) log: Option<String>,
    /// Request path, with its query [default: /].
    #[arg(long, value_name = "P")]
    pub(crate) path: Option<String>,
    /// Request header; repeatable.
    #[arg(long = "header", value_name = "K:V", value_parser = header)]
    pub(crate) headers: Vec<(String, String)>,
    /// Request method [default: GET].
    #[arg(long, value_name = "M")]
    pub(crate) method: Option<String>,
    /// Host (authority) of the request [default: localhost].
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Option<String>,
    /// Client address of the connection [default: 127.0.0.1:40000].
    #[arg(long, value_name = "IP:PORT")]
    pub(crate) source: Option<SocketAddr>,
    /// Local address of the connection [default: that of the listener].
    #[arg(long, value_name = "IP:PORT")]
    pub(crate) local: Option<SocketAddr>,
    /// TLS server name (may be empty), or `-` for no TLS; see --alpn.
    #[arg(long, value_name = "NAME", conflicts_with = "cluster")]
    pub(crate) sni: Option<String>,
    /// ALPN protocol that the client offers; repeatable.
    #[arg(long, value_name = "PROTOCOL", conflicts_with = "cluster", hide = true)]
    pub(crate) alpn: Vec<String>,
    /// Number of the attempt, 0 to 1000; 0 is the first [default: 0].
    #[arg(long, value_name = "N")]
    #[arg(value_parser = value_parser!(u32).range(..=i64::from(MAXIMUM_ATTEMPT)))]
    pub(crate) attempt: Option<u32>,
    /// Host that an earlier attempt used; repeatable.
    #[arg(long, value_name = "IP:PORT")]
    pub(crate) tried: Vec<SocketAddr>,
    /// Host that refuses connections: adds the odds of success; repeatable.
    #[arg(long, value_name = "SELECTOR", conflicts_with_all = ["attempt", "tried"])]
    pub(crate) failed: Vec<String>,
    /// Number of active requests of a host; repeatable [default: 0].
    #[arg(long, value_name = "IP:PORT=N", value_parser = active)]
    pub(crate) active: Vec<(String, u32)>,
    #[command(flatten)]
    pub(crate) since: SinceArgs,
    /// Value of the session cookie or header.
    #[arg(long, value_name = "TOKEN|COOKIE")]
    pub(crate) session: Option<String>,
    /// Keys for affinity.keys_from_env, or `-` [default: the variable].
    #[arg(long, value_name = "FILE")]
    pub(crate) keys: Option<PathBuf>,
    /// Time for cookie expiry, in seconds since 1970 [default: now].
    #[arg(long, value_name = "SECONDS")]
    pub(crate) now: Option<u64>,
    /// Listener: name, address or number [default: the first with routes].
    #[arg(long, value_name = "NAME")]
    pub(crate) listener: Option<String>,
    /// Whose rules apply to the xDS: envoy, grpc, both.
    #[arg(long, value_enum, default_value_t = Client::Envoy, hide_possible_values = true)]
    pub(crate) client: Client,
    /// Skip routing and use this cluster.
    #[arg(long, value_name = "NAME", conflicts_with = "listener")]
    pub(crate) cluster: Option<String>,
    /// Subset criteria of the request.
    #[arg(long, value_name = "K=V,...", requires = "cluster")]
    pub(crate) criteria: Option<String>,
    /// Key to hash: as header x-key with --cluster, or as Redis key.
    #[arg(long, value_name = "KEY")]
    pub(crate) hash_key: Option<String>,
    /// Host of the stateful_session; --strict-session: no other may serve.
    #[arg(long, value_name = "IP:PORT", requires = "cluster")]
    pub(crate) session_host: Option<String>,
    /// The session is strict: no other host may serve.
    #[arg(long, requires = "session_host", hide = true)]
    pub(crate) strict_session: bool,
    /// Seed of random choices [default: 0, or one with the host of --log].
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// Output format: text, json.
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text, hide_possible_values = true)]
    pub(crate) format: ExplainFormat,
}

/// The output format of an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// Text for terminals.
    Text,
    /// One line: the decision, its steps and their places (docs/schemas/explain.schema.json).
    Json,
}

/// Parses `NAME:VALUE`.
fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => Ok((
            name.trim().to_ascii_lowercase(),
            field_value(value).to_owned(),
        )),
        _ => Err("expected NAME:VALUE".into()),
    }
}

/// Parses `IP:PORT=N`.
fn active(text: &str) -> Result<(String, u32), String> {
    let parts = text.rsplit_once('=').and_then(|(address, count)| {
        let address: SocketAddr = address.parse().ok()?;
        Some((address.to_string(), count.parse().ok()?))
    });
    parts.ok_or_else(|| "expected IP:PORT=N".into())
}
