//! The arguments of `spillgate adopt`.

use std::path::PathBuf;

use clap::ValueEnum;
use spillgate_adopt::AdoptSessions;

use crate::fallback::Fallback;

/// The notes and examples at the end of `--help`.
pub(crate) const EXAMPLES: &str = "Comments, order, quotes and anchors of the files stay. Settings that cannot be carried over are\n\
    errors. The diff is for `patch -p1` or `git apply`.\n\n\
    Examples:\n  \
    spillgate adopt bootstrap.yaml --form wasm\n  \
    spillgate adopt bootstrap.yaml --form wasm --sessions cookie > steered.diff";

/// The options of `spillgate adopt`.
#[derive(Debug, clap::Args)]
pub(crate) struct AdoptArgs {
    /// Envoy bootstrap, and the files of its xDS resources: files, folders, or `-` for standard input.
    #[arg(value_name = "CONFIG", required = true)]
    pub(crate) config: Vec<PathBuf>,
    /// Form of the filter: wasm, module (the native module).
    #[arg(long, value_enum, value_name = "FORM", hide_possible_values = true)]
    pub(crate) form: Form,
    /// The filter's file. For wasm, its path in Envoy's configuration [default: spillgate.wasm]. For
    /// module, a file to read: its hash becomes part of the name.
    #[arg(long, value_name = "FILE", required_if_eq("form", "module"))]
    pub(crate) file: Option<PathBuf>,
    /// Listener that the filter steers, by name or address [default: the only one with an HTTP connection manager].
    #[arg(long, value_name = "NAME")]
    pub(crate) listener: Option<String>,
    /// Steer only routes to this cluster; repeatable [default: all routes to clusters].
    #[arg(long = "cluster", value_name = "NAME")]
    pub(crate) clusters: Vec<String>,
    /// Keep sessions in a cookie, a header (x-session) or an envelope (mcp-session-id) [default: those
    /// of stateful_session].
    #[arg(long, value_enum, value_name = "CARRIER", hide_possible_values = true)]
    pub(crate) sessions: Option<Carrier>,
    /// Further subset criteria: keys of hosts, and the headers with their values.
    #[arg(long, value_name = "KEY=HEADER,...", value_delimiter = ',')]
    pub(crate) criteria: Vec<String>,
    /// Subset fallback chain: the keys of each step.
    #[arg(long, value_name = "K+K,K,...", value_delimiter = ',')]
    pub(crate) chain: Vec<String>,
    /// What serves if no host of the filter's list is left: isolation (no host, 503), availability (any
    /// host) [default: isolation with criteria, a chain or sessions].
    #[arg(long, value_enum, value_name = "CHOICE", hide_possible_values = true)]
    pub(crate) fallback: Option<Fallback>,
    /// Write the whole result into this file, which can be CONFIG.
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub(crate) write: Option<PathBuf>,
    /// Print the difference as a unified diff [default].
    #[arg(long)]
    pub(crate) diff: bool,
    /// Run this Envoy with CONFIG and with the result, on free ports and with test hosts, and compare.
    #[arg(long, value_name = "ENVOY", conflicts_with = "undo")]
    pub(crate) check: Option<PathBuf>,
    /// Print the diff back: from the result to CONFIG, or from CONFIG if the filter is there already.
    #[arg(long, conflicts_with = "write")]
    pub(crate) undo: bool,
}

/// The form of the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// `spillgate.wasm`.
    Wasm,
    /// The native module.
    Module,
}

/// Where the tokens of sessions travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Carrier {
    /// A cookie.
    Cookie,
    /// A header of requests and responses.
    Header,
    /// The session header of an MCP server.
    Envelope,
}

impl Carrier {
    /// The same choice for the plan.
    pub(crate) const fn of_plan(self) -> AdoptSessions {
        match self {
            Self::Cookie => AdoptSessions::Cookie,
            Self::Header => AdoptSessions::Header,
            Self::Envelope => AdoptSessions::Envelope,
        }
    }
}
