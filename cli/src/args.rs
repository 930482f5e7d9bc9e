//! The arguments of the command.

use std::path::PathBuf;

use clap::{ColorChoice, Parser, Subcommand, ValueEnum};

use crate::{
    completions::CompletionsArgs,
    config::ConfigArgs,
    explain::ExplainArgs,
    export::{self, ExportArgs},
    link::LinkArgs,
    lint::LintArgs,
    man::ManArgs,
    simulate::SimulateArgs,
    token::TokenArgs,
    what_if::WhatIfArgs,
};

/// Says who gets which requests under an Envoy configuration, exactly as Envoy 1.40 decides.
///
/// CONFIG is a file or `-` for the standard input: an Envoy bootstrap, one of its messages, a
/// list or several YAML documents of them; YAML or JSON.
///
/// Exit status: 0 fine; 1 the answer is "no", such as a vector that failed; 2 unusable input,
/// with one line on the standard error for every fault.
#[derive(Debug, Parser)]
#[command(
    name = "spillgate",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
pub struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to colour what is printed; `auto` is on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub(crate) color: ColorChoice,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the share of every priority, locality and endpoint of each cluster.
    #[command(after_long_help = "Examples:\n  \
        spillgate split envoy.yaml\n  \
        spillgate split envoy.yaml --cluster shop --cluster shop-canary\n  \
        spillgate split envoy.yaml --criteria stage=prod,version=1.2\n  \
        spillgate split envoy.yaml --format json | jq '.clusters[].endpoints'\n  \
        kubectl exec gateway -- cat /etc/envoy.yaml | spillgate split -")]
    Split(SplitArgs),
    /// Say what Envoy does with each request of a list: its host, or the shares of all it may be.
    #[command(after_long_help = "Examples:\n  \
        spillgate pick envoy.yaml requests.jsonl\n  \
        echo '{\"i\":0,\"path\":\"/\",\"headers\":[[\"x-user\",\"u1\"]]}' | \
        spillgate pick envoy.yaml -\n\n\
        A row of REQUESTS is {\"i\":0,\"path\":\"/\"} and may have method, host, headers, \
        source, local and attempt.")]
    Pick(PickArgs),
    /// Tell why one request goes where it goes: every step, its figures and its line.
    #[command(after_long_help = "Examples:\n  \
        spillgate explain envoy.yaml --path /cart --header 'x-user: u1'\n  \
        spillgate explain envoy.yaml --path /cart --seed 7 --format json\n  \
        spillgate explain envoy.yaml --path /cart --tried 10.0.0.1:80\n  \
        spillgate explain clusters.yaml --cluster shop")]
    Explain(Box<ExplainArgs>),
    /// Say what the loss of hosts does: what spills, panics and fails, and when.
    #[command(after_long_help = crate::what_if::EXAMPLES)]
    WhatIf(WhatIfArgs),
    /// Run sessions through failures, drains and key rotations, and check what becomes of them.
    #[command(after_long_help = crate::simulate::EXAMPLES)]
    Simulate(SimulateArgs),
    /// Find what Envoy accepts and what does not do what it seems to.
    #[command(after_long_help = crate::lint::EXAMPLES)]
    Lint(LintArgs),
    /// Compare the engine with recorded vectors and scenarios.
    #[command(after_long_help = "Examples:\n  \
        spillgate conformance vectors --pending vectors/pending.json\n  \
        spillgate conformance vectors/oracle --family ring,maglev\n  \
        spillgate conformance vectors/envoy/priority_load.json\n  \
        spillgate conformance vectors/oracle --envoy /usr/local/bin/envoy")]
    Conformance(ConformanceArgs),
    /// Write the configuration anew: for Envoy, for the filter, or as a table of its hosts.
    #[command(after_long_help = export::EXAMPLES)]
    Export(ExportArgs),
    /// Write the page's link for a configuration, or read one.
    Link(LinkArgs),
    /// Make the keys of sessions, change them without losing any, and read their tokens.
    Token(TokenArgs),
    /// Print the completions for a shell.
    #[command(after_long_help = "Examples:\n  \
        spillgate completions bash > ~/.local/share/bash-completion/completions/spillgate\n  \
        spillgate completions zsh > ~/.zfunc/_spillgate")]
    Completions(CompletionsArgs),
    /// Print the manual page of the program, or of one of its commands.
    #[command(after_long_help = "Examples:\n  \
        spillgate man | man -l -\n  \
        spillgate man link encode > spillgate-link-encode.1")]
    Man(ManArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Only this cluster; may be given several times.
    #[arg(long = "cluster", value_name = "NAME")]
    pub(crate) clusters: Vec<String>,
    /// The subset criteria of the requests; without them, those of a request that has none.
    #[arg(long, value_name = "K=V,...")]
    pub(crate) criteria: Option<String>,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

/// How a split is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people; coloured on a terminal unless NO_COLOR is set.
    Table,
    /// Full precision.
    Json,
    /// Tables for a document.
    Markdown,
    /// One line for each endpoint; full precision.
    Csv,
}

#[derive(Debug, clap::Args)]
pub(crate) struct PickArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// The requests, one JSON object a line, or `-`.
    #[arg(value_name = "REQUESTS")]
    pub(crate) requests: PathBuf,
    /// The listener that receives them; by default the first that has routes.
    #[arg(long, value_name = "NAME")]
    pub(crate) listener: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ConformanceArgs {
    /// Vector files, scenario folders, or folders of them.
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// A list of ids and folders that are known not to be supported yet. They are run and counted
    /// apart; one that passes is named.
    #[arg(long, value_name = "FILE")]
    pub(crate) pending: Option<PathBuf>,
    /// Only these kinds of vectors and families of scenarios.
    #[arg(long = "family", value_name = "F,...", value_delimiter = ',')]
    pub(crate) families: Vec<String>,
    /// Replay the scenario folders on this Envoy and name every difference from what was recorded.
    #[arg(long, value_name = "BIN", conflicts_with = "pending")]
    pub(crate) envoy: Option<PathBuf>,
    /// How the report is written.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// How a report of a conformance run is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// What did not simply pass, and the figures.
    Text,
    /// Every unit with its differences (docs/schemas/conformance.schema.json).
    Json,
}
