//! The arguments of `spillgate diff`.

use clap::ValueEnum;

use crate::{link::DisclosedArgs, mesh::MeshArgs, sides::GivenSides};

/// The notes and examples at the end of `--help`.
pub(crate) const EXAMPLES: &str = "\
A side is a file, a folder, `-`, a link of the playground, or the URL of a running Envoy.
With --git, all arguments name the new side, and the old side is the same files of the revision.
EXPR:     moved <= 10%, share_change(SELECTOR) <= 5, no new panic, no new 503, no route change.
          Exit status 1 if one does not hold.

Examples:
  spillgate diff envoy.yaml changed.yaml --expect 'no new 503' --expect 'moved <= 60%'
  curl -s 'localhost:9901/config_dump?include_eds' | spillgate diff - changed.yaml";

/// The options of `spillgate diff`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct DiffArgs {
    /// OLD and NEW; with --git only NEW, of one or more files.
    #[arg(value_name = "CONFIG", required = true)]
    pub(crate) sides: Vec<String>,
    /// Compare with the same files of a git revision.
    #[arg(long, value_name = "REV")]
    pub(crate) git: Option<String>,
    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
    /// Compare only these clusters, such as `shop-*`; repeatable [default: all].
    #[arg(long = "cluster", value_name = "GLOB")]
    pub(crate) clusters: Vec<String>,
    /// Expectation about the change; repeatable.
    #[arg(long, value_name = "EXPR")]
    pub(crate) expect: Vec<String>,
    /// Print all differences instead of one screen.
    #[arg(long)]
    pub(crate) all: bool,
    /// Markdown: link the comparison in the playground at this URL.
    #[arg(long, value_name = "URL")]
    pub(crate) page: Option<String>,
    #[command(flatten)]
    pub(crate) disclosed: DisclosedArgs,
    /// Output format: text, json, markdown (for a comment), sarif (2.1.0, new lint findings).
    #[arg(long, value_enum, default_value_t = DiffFormat::Text, hide_possible_values = true)]
    pub(crate) format: DiffFormat,
}

impl DiffArgs {
    /// Those without options.
    #[cfg(test)]
    pub(super) fn plain() -> Self {
        Self {
            sides: Vec::new(),
            git: None,
            mesh: MeshArgs::default(),
            clusters: Vec::new(),
            expect: Vec::new(),
            all: false,
            page: None,
            disclosed: DisclosedArgs::default(),
            format: DiffFormat::Text,
        }
    }

    /// The arguments that name the sides.
    pub(crate) fn given(&self) -> GivenSides<'_> {
        GivenSides {
            sides: &self.sides,
            git: self.git.as_deref(),
            mesh: &self.mesh,
        }
    }
}

/// The output format of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// Text for terminals.
    Text,
    /// One JSON object with full precision.
    Json,
    /// Markdown for a comment on a change.
    Markdown,
    /// SARIF 2.1.0 of new lint findings.
    Sarif,
}
