//! The arguments of `spillgate convert`.

use std::path::PathBuf;

use clap::ValueEnum;
use spillgate_config::mesh::MeshKind;

use crate::{client_args::Client, mesh::MeshArgs};

/// The notes and examples at the end of `--help`.
pub(crate) const EXAMPLES: &str = "POLICY: documents of Kuma or Istio in any order: policies, \
    routes, services, Dataplanes, Pods, endpoints. \
    Without --as and \
    --proxy: all zones.\n\n\
    Examples:\n  \
    spillgate convert policy.yaml --endpoints dataplanes.yaml --as zone-1 --to envoy > envoy.yaml\n  \
    spillgate convert policy.yaml dataplanes.yaml --to matrix --format svg > traffic.svg";

/// The options of `spillgate convert`.
#[derive(Debug, clap::Args)]
pub(crate) struct ConvertArgs {
    /// Mesh documents, or `-` for standard input.
    #[arg(value_name = "POLICY", required = true)]
    pub(crate) policies: Vec<PathBuf>,
    /// Mesh: kuma, istio [default: by content].
    #[arg(long, value_enum, value_name = "MESH", hide_possible_values = true)]
    pub(crate) from: Option<From>,
    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
    /// Take health from this /clusters output, text or JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) health: Option<PathBuf>,
    /// Write priorities without gaps and locality weighting, which gRPC requires.
    #[arg(long)]
    pub(crate) portable: bool,
    /// Whose rules apply to the converted xDS: envoy, grpc, both.
    #[arg(long, value_enum, default_value_t = Client::Envoy, hide_possible_values = true)]
    pub(crate) client: Client,
    /// Output: report, envoy (bootstrap), json (priority groups), matrix (zone-to-zone traffic).
    #[arg(long, value_enum, value_name = "OUTPUT", default_value = "report")]
    #[arg(hide_possible_values = true)]
    pub(crate) to: To,
    /// Format: yaml, json for envoy; svg, markdown, csv, json for matrix [default: the first].
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) format: Option<Format>,
}

/// The mesh of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum From {
    /// Kuma.
    Kuma,
    /// Istio.
    Istio,
}

/// The output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum To {
    /// Text for terminals.
    Report,
    /// An Envoy bootstrap.
    Envoy,
    /// The priority groups, as in the test vectors.
    Json,
    /// Zone-to-zone traffic.
    Matrix,
}

/// The format of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// YAML.
    Yaml,
    /// JSON.
    Json,
    /// A picture.
    Svg,
    /// Markdown tables.
    Markdown,
    /// One line for each pair of zones.
    Csv,
}

impl From {
    /// The mesh.
    pub(crate) const fn mesh(self) -> MeshKind {
        match self {
            Self::Kuma => MeshKind::Kuma,
            Self::Istio => MeshKind::Istio,
        }
    }
}

impl To {
    /// The name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Envoy => "envoy",
            Self::Json => "json",
            Self::Matrix => "matrix",
        }
    }

    /// The formats; the first is the default.
    pub(crate) const fn formats(self) -> &'static [Format] {
        match self {
            Self::Report => &[],
            Self::Envoy => &[Format::Yaml, Format::Json],
            Self::Json => &[Format::Json],
            Self::Matrix => &[Format::Svg, Format::Markdown, Format::Csv, Format::Json],
        }
    }
}

impl Format {
    /// The name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Yaml => "yaml",
            Self::Json => "json",
            Self::Svg => "svg",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
        }
    }
}
