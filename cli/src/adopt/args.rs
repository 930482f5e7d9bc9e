//! The arguments of `spillgate adopt`.

use std::path::PathBuf;

use clap::ValueEnum;
use spillgate_adopt::AdoptSessions;

use crate::{fallback::Fallback, mesh::IstioArgs};

/// The notes and examples at the end of `--help`.
pub(crate) const EXAMPLES: &str = "Comments, order, quotes and anchors of the files stay. Settings that cannot be carried over are\n\
    errors. The diff is for `patch -p1` or `git apply`.\n\n\
    Examples:\n  \
    spillgate adopt bootstrap.yaml --form wasm\n  \
    spillgate adopt bootstrap.yaml --form wasm --sessions cookie > steered.diff";

/// The options of `spillgate adopt`.
#[derive(Debug, clap::Args)]
pub(crate) struct AdoptArgs {
    /// Envoy bootstrap, and the files of its xDS resources, or documents of Istio or Envoy Gateway: files,
    /// folders, or `-` for standard input.
    #[arg(value_name = "CONFIG", required = true)]
    pub(crate) config: Vec<PathBuf>,
    /// Form of the filter: wasm, module (the dynamic module).
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
    /// Istio: gateway:NAME, or a zone for sidecars [default: the only Gateway]. Envoy Gateway: an HTTPRoute.
    #[arg(long = "as", value_name = "PROXY")]
    pub(crate) view: Option<String>,
    /// Istio: namespace of the new objects, and labels of the proxies [default: by the Gateway].
    #[arg(long, value_name = "NS/KEY=VALUE")]
    pub(crate) workload: Option<String>,
    /// Istio, Envoy Gateway: image of the Wasm filter.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) istio: IstioArgs,
    /// Write the whole result into this file, which can be CONFIG, or the new objects.
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

impl AdoptArgs {
    /// The first argument that only documents of a control plane support, as written.
    pub(crate) fn first_of_objects(&self) -> Option<&'static str> {
        let given = [
            ("--as", self.view.is_some()),
            ("--workload", self.workload.is_some()),
            ("--url", self.url.is_some()),
            ("--istio-version", self.istio.version().is_some()),
        ];
        let mut given = given.into_iter().filter(|(_, given)| *given);
        given.next().map(|(name, _)| name)
    }
}

/// The form of the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// `spillgate.wasm`.
    Wasm,
    /// The dynamic module.
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
