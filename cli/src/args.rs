//! The command line of `spillgate`: its commands, and the options of those without a module for them.
//!
//! The doc comment of an argument is its help text, so it says what the reader gets, the default and
//! the unit. Every help text fits one screen and ends with two examples; `cli/tests/cli/help.rs`
//! checks that and runs the examples. Longer explanations are in `docs/command-line.md`.

use clap::{ColorChoice, Parser, Subcommand, ValueEnum};

use crate::{
    adopt::{self, AdoptArgs},
    capture::CaptureArgs,
    client_args::Client,
    completions::CompletionsArgs,
    config::ConfigArgs,
    conformance::ConformanceArgs,
    convert::{self, ConvertArgs},
    diff::{self, DiffArgs},
    explain::ExplainArgs,
    explain_code::{self, ExplainCodeArgs},
    export::{self, ExportArgs},
    exporter::{self, ExporterArgs},
    fleet::{self, FleetArgs},
    incident::{self, IncidentArgs},
    link::LinkArgs,
    lint::LintArgs,
    man::ManArgs,
    mesh::MeshArgs,
    observe::ObserveArgs,
    pick::{self, PickArgs},
    reported::ReportedArgs,
    simulate::SimulateArgs,
    since_healthy::SinceArgs,
    token::TokenArgs,
    ui::{self, UiArgs},
    version::version,
    what_if::WhatIfArgs,
};

/// Predict where Envoy 1.40 sends requests.
#[derive(Debug, Parser)]
#[command(
    name = "spillgate",
    version = version(),
    max_term_width = 100,
    arg_required_else_help = true,
    after_help = "CONFIG: files or folders with Envoy bootstraps, dumps, xDS files or output of control planes,\n\
        as YAML or JSON. `-` is standard input.\n\
        Exit status: 0 success, 1 negative result (lint error, failed expectation), 2 unusable input.\n\
        Errors and warnings are one line each unless a terminal shows them; SPILLGATE_MESSAGES=full|short.\n\n\
        Examples:\n  \
        spillgate split envoy.yaml\n  \
        spillgate explain envoy.yaml --path /cart --header 'x-user: u1'"
)]
pub struct Args {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Colors: auto (off with NO_COLOR), always, never.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    #[arg(hide_possible_values = true, display_order = 998)]
    pub(crate) color: ColorChoice,
}

/// A command and its options.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the traffic share of each priority, locality and host.
    #[command(after_help = "Examples:\n  \
        spillgate split envoy.yaml --criteria stage=prod,version=1.2\n  \
        curl -s 'localhost:9901/config_dump?include_eds' | spillgate split - --format json")]
    Split(SplitArgs),
    /// Show the host of each request in a list, or the shares of all possible hosts.
    #[command(
        override_usage = "spillgate pick <CONFIG|--admin <URL>> <REQUESTS> [OPTIONS]",
        mut_arg("config", pick::with_requests),
        mut_group("config-source", |group| group.multiple(true)),
        after_help = "A row of REQUESTS is a JSON object on one line. Required: i, path. \
        Optional: method, host, headers,\n\
        source, local, session, attempt, tried, active.\n\n\
        Examples:\n  \
        spillgate pick envoy.yaml requests.jsonl\n  \
        echo '{\"i\":0,\"path\":\"/\",\"headers\":[[\"x-user\",\"u1\"]]}' | \
        spillgate pick envoy.yaml -"
    )]
    Pick(PickArgs),
    /// Explain one routing decision step by step.
    // Without the empty line above the usage, the help fits one screen.
    #[command(
        help_template = "{about-with-newline}{usage-heading} {usage}\n\n{all-args}{after-help}"
    )]
    #[command(after_help = "Examples:\n  \
        spillgate explain envoy.yaml --path /cart --header 'x-user: u1'\n  \
        spillgate explain clusters.yaml --cluster shop --seed 7 --format json")]
    Explain(Box<ExplainArgs>),
    /// Predict the effect of losing hosts: spillover, panic mode, requests without a host.
    #[command(
        override_usage = "spillgate what-if <CONFIG|--admin <URL>> [--lose <SELECTOR:AMOUNT>]... [OPTIONS]",
        after_help = crate::what_if::EXAMPLES
    )]
    WhatIf(WhatIfArgs),
    /// Show what a change of a configuration does to its traffic, or prove that it does nothing.
    #[command(
        override_usage = "spillgate diff <OLD> <NEW> [OPTIONS]\n       spillgate diff --git <REV> <CONFIG>... [OPTIONS]",
        after_help = diff::EXAMPLES
    )]
    Diff(DiffArgs),
    /// Predict the load of each host over all callers, and whether the other zones survive.
    #[command(
        override_usage = "spillgate fleet <CONFIG|--admin <URL>> --rps <N> [OPTIONS]",
        mut_arg("zone", |zone| zone.hide(true)),
        mut_arg("proxy", |proxy| proxy.hide(true)),
        after_help = fleet::EXAMPLES
    )]
    Fleet(FleetArgs),
    /// Predict health over time: when Envoy notices failures, what fails until then.
    // Without the empty line above the usage, the help fits one screen.
    #[command(
        help_template = "{about-with-newline}{usage-heading} {usage}\n\n{all-args}{after-help}",
        override_usage = "spillgate incident <CONFIG|--admin <URL>> [SCRIPT] [OPTIONS]",
        after_help = incident::EXAMPLES
    )]
    Incident(Box<IncidentArgs>),
    /// Test sessions through failures, drains and key rotations.
    #[command(after_help = crate::simulate::EXAMPLES)]
    Simulate(SimulateArgs),
    /// Report valid settings with unintended effects.
    #[command(after_help = crate::lint::EXAMPLES)]
    Lint(LintArgs),
    /// Save a running Envoy in one file, without secrets.
    #[command(after_help = crate::capture::EXAMPLES)]
    Capture(CaptureArgs),
    /// Compare predicted shares with the requests that a running Envoy counts.
    #[command(after_help = crate::observe::EXAMPLES)]
    Observe(ObserveArgs),
    /// Publish margins of running Envoys as Prometheus metrics: load, panic mode, N-1, differences.
    #[command(after_help = exporter::EXAMPLES)]
    Exporter(ExporterArgs),
    /// Compare the engine or another Envoy with recorded test vectors.
    #[command(after_help = crate::conformance::EXAMPLES)]
    Conformance(ConformanceArgs),
    /// Convert mesh policies of Kuma or Istio: what Envoy receives in each zone.
    #[command(after_help = convert::EXAMPLES)]
    Convert(ConvertArgs),
    /// Convert the configuration.
    #[command(after_help = export::EXAMPLES)]
    Export(ExportArgs),
    /// Patch an Envoy bootstrap so that the Spillgate filter steers it: print the diff.
    #[command(after_help = adopt::EXAMPLES)]
    Adopt(AdoptArgs),
    /// Explain the code of an error, a warning or a lint finding.
    #[command(after_help = explain_code::EXAMPLES)]
    ExplainCode(ExplainCodeArgs),
    /// Serve the playground on this machine, with the configuration in it.
    #[command(
        override_usage = "spillgate ui [CONFIG|--admin <URL>] [OPTIONS]",
        mut_group("config-source", |group| group.required(false)),
        mut_arg("health", |health| health.requires("config")),
        mut_arg("root", |root| root.requires("config")),
        mut_arg("timeout", |timeout| timeout.requires("url")),
        after_help = ui::EXAMPLES
    )]
    Ui(UiArgs),
    /// Create or read a link that opens a configuration in the playground.
    #[command(after_help = "Examples:\n  \
        spillgate link encode envoy.yaml\n  \
        spillgate link decode '1h.AAEEc2hvcAAyjAEAAAIBAAABYQAAAgACAgIAAQAAAWIAAAEAAQDxwA'")]
    Link(LinkArgs),
    /// Create and rotate session keys; create and read session tokens.
    #[command(after_help = "Examples:\n  \
        spillgate token keygen > keys.yaml\n  \
        spillgate token rotate --keys keys.yaml --add > with-new.yaml")]
    Token(TokenArgs),
    /// Print shell completions.
    #[command(after_help = "Examples:\n  \
        spillgate completions bash > ~/.local/share/bash-completion/completions/spillgate\n  \
        spillgate completions zsh > ~/.zfunc/_spillgate")]
    Completions(CompletionsArgs),
    /// Print the manual page of spillgate or of one command.
    #[command(after_help = "Examples:\n  \
        spillgate man | man -l -\n  \
        spillgate man link encode > spillgate-link-encode.1")]
    Man(ManArgs),
}

/// The options of `spillgate split`.
#[derive(Debug, clap::Args)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
    #[command(flatten)]
    pub(crate) reported: ReportedArgs,
    /// Whose rules apply to the xDS: envoy, grpc, both (side by side, with reasons).
    #[arg(long, value_enum, default_value_t = Client::Envoy, hide_possible_values = true)]
    pub(crate) client: Client,
    /// Show only this cluster; repeatable [default: all].
    #[arg(long = "cluster", value_name = "NAME")]
    pub(crate) clusters: Vec<String>,
    /// Subset criteria of the requests [default: no criteria].
    #[arg(long, value_name = "K=V,...")]
    pub(crate) criteria: Option<String>,
    #[command(flatten)]
    pub(crate) since: SinceArgs,
    /// Output format: table, json, markdown, csv.
    #[arg(long, value_enum, default_value_t = Format::Table, hide_possible_values = true)]
    pub(crate) format: Format,
    /// With --admin: print the split, then each change as a line (or as JSON). Reads every INTERVAL
    /// [default: 5s], until Ctrl-C.
    #[arg(long, value_name = "INTERVAL", num_args = 0..=1, default_missing_value = "5s")]
    #[arg(requires = "url")]
    pub(crate) watch: Option<String>,
    /// With --watch: stop after N reads.
    #[arg(long, value_name = "N", requires = "watch")]
    pub(crate) count: Option<u64>,
}

/// The output format of a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables for terminals, with one decimal.
    Table,
    /// One JSON object with full precision.
    Json,
    /// Markdown tables.
    Markdown,
    /// One line per host, with full precision.
    Csv,
}
