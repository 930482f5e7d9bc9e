//! The arguments of `spillgate link`.

use clap::{Args, Subcommand, ValueEnum};

use crate::config::ConfigArgs;

/// The options of `spillgate link`.
#[derive(Debug, Args)]
pub(crate) struct LinkArgs {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: LinkCommand,
}

/// The commands of `spillgate link`.
#[derive(Debug, Subcommand)]
pub(crate) enum LinkCommand {
    /// Print a link that opens the configuration in the playground.
    #[command(after_help = "Examples:\n  \
        spillgate link encode envoy.yaml\n  \
        spillgate link encode envoy.yaml --cluster shop --page http://127.0.0.1:8080/")]
    Encode(EncodeArgs),
    /// Print the clusters of a link.
    #[command(after_help = "Examples:\n  \
        spillgate link decode '1h.AAEEc2hvcAAyjAEAAAIBAAABYQAAAgACAgIAAQAAAWIAAAEAAQDxwA'\n  \
        spillgate link encode envoy.yaml | spillgate link decode - --format table")]
    Decode(DecodeArgs),
}

/// The options of `spillgate link encode`.
#[derive(Debug, Args)]
pub(crate) struct EncodeArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Cluster that the playground shows first [default: an aggregate, else the one with most priorities].
    #[arg(long, value_name = "NAME")]
    pub(crate) cluster: Option<String>,
    /// Include host addresses, hash keys and all names. Without keys and addresses, shares under a hash
    /// policy can differ.
    #[arg(long)]
    pub(crate) include_addresses: bool,
    /// Include the names of clusters and localities [default: c1, zone-1 and so on].
    #[arg(long)]
    pub(crate) include_names: bool,
    /// URL of the playground [default: print only the fragment, starting with #].
    #[arg(long, value_name = "URL")]
    pub(crate) page: Option<String>,
    /// Output format: text (the link), json (with the settings that it drops).
    #[arg(long, value_enum, default_value_t = EncodeFormat::Text, hide_possible_values = true)]
    pub(crate) format: EncodeFormat,
}

/// The output format of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EncodeFormat {
    /// The link alone.
    Text,
    /// An object with the link, the cluster that it shows and the settings that it drops.
    Json,
}

/// The options of `spillgate link decode`.
#[derive(Debug, Args)]
pub(crate) struct DecodeArgs {
    /// Link: a URL or its fragment, or `-` for standard input.
    #[arg(value_name = "LINK", allow_hyphen_values = true)]
    pub(crate) link: String,
    /// Output format: yaml or json (an Envoy bootstrap), table (shares as in split).
    #[arg(long, value_enum, default_value_t = DecodeFormat::Yaml, hide_possible_values = true)]
    pub(crate) format: DecodeFormat,
}

/// The output format of the clusters of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecodeFormat {
    /// An Envoy bootstrap in YAML.
    Yaml,
    /// An Envoy bootstrap in JSON.
    Json,
    /// Shares, as `split` prints them.
    Table,
}
