//! The arguments of `spillgate link`.

use clap::{Args, Subcommand, ValueEnum};

use crate::config::ConfigArgs;

#[derive(Debug, Args)]
pub(crate) struct LinkArgs {
    #[command(subcommand)]
    pub(crate) command: LinkCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LinkCommand {
    /// Print the link that opens a configuration in the page.
    ///
    /// What the link cannot carry is named in a warning.
    #[command(after_long_help = "Examples:\n  \
        spillgate link encode envoy.yaml\n  \
        spillgate link encode envoy.yaml --cluster shop --page http://127.0.0.1:8080/")]
    Encode(EncodeArgs),
    /// Print the clusters of a link.
    #[command(after_long_help = "Examples:\n  \
        spillgate link decode '1h.AAEEc2hvcAAyjAEAAAIBAAABYQAAAgACAgIAAQAAAWIAAAEAAQDxwA'\n  \
        spillgate link decode 'http://127.0.0.1:8080/#1h.AAEEc2hvcAAyjAEAAAIBAAABYQAAAgACAgIAAQAAAWIAAAEAAQDxwA' --format table")]
    Decode(DecodeArgs),
}

#[derive(Debug, Args)]
pub(crate) struct EncodeArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// The cluster that the page shows first; by default an aggregate, else the cluster with the
    /// most priorities.
    #[arg(long, value_name = "NAME")]
    pub(crate) cluster: Option<String>,
    /// Tell addresses and hash keys of hosts too. Without it hosts get made up addresses, and
    /// under a hash policy shares of single hosts may differ a little.
    #[arg(long)]
    pub(crate) include_addresses: bool,
    /// Where the page is served; the link is put behind it.
    #[arg(long, value_name = "URL")]
    pub(crate) page: Option<String>,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = EncodeFormat::Text)]
    pub(crate) format: EncodeFormat,
}

/// How a link is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EncodeFormat {
    /// The link on a line of its own.
    Text,
    /// An object with the link, the cluster it shows and what it leaves out.
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct DecodeArgs {
    /// A link: the whole address or what stands behind its `#`; `-` reads it from the standard
    /// input.
    #[arg(value_name = "LINK", allow_hyphen_values = true)]
    pub(crate) link: String,
    /// How the clusters are written.
    #[arg(long, value_enum, default_value_t = DecodeFormat::Yaml)]
    pub(crate) format: DecodeFormat,
}

/// How the clusters of a link are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecodeFormat {
    /// An Envoy bootstrap.
    Yaml,
    /// The same as JSON.
    Json,
    /// Who gets what, as `split` shows it.
    Table,
}
