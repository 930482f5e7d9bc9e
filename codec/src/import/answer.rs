//! The answer itself.

use alloc::{string::String, vec::Vec};

use spillgate_core::model::Cluster;

use super::fields::{Wire, fields, variants};
use crate::bytes::{Reader, Writer};

/// What the readers say about two texts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportAnswer {
    /// What the texts say; `None` where errors keep them from being used. The hash policies of
    /// balancers stay behind: no figure of the page hangs on them.
    pub clusters: Option<Vec<Cluster>>,
    /// Where, by cluster.
    pub places: Vec<ClusterPlaces>,
    /// What is wrong or doubtful, in the order of the texts.
    pub faults: Vec<ImportFault>,
}

/// A place in a text. Lines and columns count from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextPosition {
    /// The line.
    pub line: u32,
    /// The column within the line, in characters.
    pub column: u32,
}

/// Where in the configuration the values of a cluster stand that the page points at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClusterPlaces {
    /// `common_lb_config.healthy_panic_threshold`.
    pub panic_threshold: Option<TextPosition>,
    /// `load_assignment.policy.overprovisioning_factor`.
    pub overprovisioning_factor: Option<TextPosition>,
    /// The member list of an aggregate.
    pub members: Option<TextPosition>,
    /// By priority, by index within the priority: the endpoints.
    pub priorities: Vec<Vec<HostPlace>>,
}

/// Where an endpoint stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostPlace {
    /// Its beginning.
    pub endpoint: TextPosition,
    /// Its `health_status`.
    pub health_status: Option<TextPosition>,
}

/// One thing that the readers say about a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportFault {
    /// How much it matters.
    pub severity: FaultSeverity,
    /// The text that it is in.
    pub field: ImportField,
    /// A stable name of the kind: `config/unknown-field`, or a lint rule such as `weight-zero`.
    pub code: String,
    /// The field of the configuration; empty for the text as a whole.
    pub path: String,
    /// Where it stands, if it stands anywhere.
    pub position: Option<TextPosition>,
    /// What is wrong.
    pub message: String,
    /// What stands there, ready to print.
    pub found: Option<String>,
    /// What should stand there, ready to print.
    pub expected: Option<String>,
    /// What was probably meant: a name to put there.
    pub suggestion: Option<String>,
    /// What to do, in words.
    pub fix: Option<String>,
}

/// How much a fault matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultSeverity {
    /// The text cannot be used, or some traffic of it fails.
    Error,
    /// Something has no effect, or not the effect that it seems to have.
    Warning,
    /// A smell.
    Info,
}

/// The texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImportField {
    /// The configuration.
    Config,
    /// What `/clusters` said.
    Clusters,
}

impl ImportAnswer {
    /// As bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        self.write(&mut writer);
        writer.0
    }

    /// From bytes; `None` when they are no answer.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let answer = Self::read(&mut reader)?;
        reader.is_empty().then_some(answer)
    }
}

impl TextPosition {
    /// Where every text begins.
    pub const START: Self = Self { line: 1, column: 1 };
}

fields!(ImportAnswer {
    clusters,
    places,
    faults
});
fields!(TextPosition { line, column });
fields!(ClusterPlaces {
    panic_threshold,
    overprovisioning_factor,
    members,
    priorities
});
fields!(HostPlace {
    endpoint,
    health_status
});
fields!(ImportFault {
    severity,
    field,
    code,
    path,
    position,
    message,
    found,
    expected,
    suggestion,
    fix
});
variants!(FaultSeverity {
    Error,
    Warning,
    Info
});
variants!(ImportField { Config, Clusters });
