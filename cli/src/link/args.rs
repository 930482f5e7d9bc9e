//! The arguments of `spillgate link`.

use clap::{Args, Subcommand, ValueEnum};
use spillgate_codec::link::Disclosure;

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
        spillgate link encode envoy.yaml --cluster shop --page http://127.0.0.1:8080/\n  \
        spillgate link encode --diff envoy.yaml changed.yaml")]
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
    /// Compare two configurations, each given as for `spillgate diff`.
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], group = "config-source", conflicts_with_all = ["health", "root"])]
    pub(crate) diff: Option<Vec<String>>,
    /// Cluster that the playground shows first [default: an aggregate, else the one with most priorities;
    /// with --diff the one with the worst difference].
    #[arg(long, value_name = "NAME")]
    pub(crate) cluster: Option<String>,
    #[command(flatten)]
    pub(crate) disclosed: DisclosedArgs,
    /// URL of the playground [default: print only the fragment, starting with #].
    #[arg(long, value_name = "URL")]
    pub(crate) page: Option<String>,
    /// Output format: text (the link), json (with the settings that it drops).
    #[arg(long, value_enum, default_value_t = EncodeFormat::Text, hide_possible_values = true)]
    pub(crate) format: EncodeFormat,
}

/// What a link discloses.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct DisclosedArgs {
    /// Include host addresses, hash keys and all names. Without keys and addresses, shares under a hash
    /// policy can differ.
    #[arg(long)]
    include_addresses: bool,
    /// Include the names of clusters and localities [default: c1, zone-1 and so on].
    #[arg(long)]
    include_names: bool,
}

impl DisclosedArgs {
    /// What the link discloses.
    pub(crate) const fn disclosure(self) -> Disclosure {
        match (self.include_addresses, self.include_names) {
            (true, _) => Disclosure::Addresses,
            (false, true) => Disclosure::Names,
            (false, false) => Disclosure::Shape,
        }
    }
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
    /// Side of a comparison: old, new, or both, one after the other.
    #[arg(long, value_enum, default_value_t = LinkSide::Both, hide_possible_values = true)]
    pub(crate) side: LinkSide,
    /// Output format: yaml or json (an Envoy bootstrap), table (shares as in split).
    #[arg(long, value_enum, default_value_t = DecodeFormat::Yaml, hide_possible_values = true)]
    pub(crate) format: DecodeFormat,
}

/// The printed sides of a link that compares two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LinkSide {
    /// The old side.
    Old,
    /// The new side, which is the scenario of the link.
    New,
    /// Both, in this order.
    Both,
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
