//! The arguments of `spillgate capture`.

use std::path::PathBuf;

/// The notes and examples at the end of `--help`.
pub(crate) const EXAMPLES: &str = "Every command reads the file as CONFIG, and the playground imports it. It contains addresses and\n\
    names, but no token keys, private keys or credentials.\n\n\
    Examples:\n  \
    spillgate capture http://localhost:9901 -o proxy.json\n  \
    spillgate capture unix:admin.sock -o - --anonymize | spillgate split -";

/// The options of `spillgate capture`.
#[derive(Debug, clap::Args)]
pub(crate) struct CaptureArgs {
    /// Admin interface of the Envoy: http://HOST:PORT or unix:PATH.
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    /// File for the snapshot, or `-` for standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replace addresses, domains, and the names of clusters, listeners and routes.
    #[arg(long)]
    pub(crate) anonymize: bool,
    /// Longest time for each response, such as 500ms or 2m [default: 30s].
    #[arg(long = "admin-timeout", value_name = "TIME")]
    pub(crate) timeout: Option<String>,
}
