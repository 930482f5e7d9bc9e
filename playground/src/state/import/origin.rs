//! A text that was imported, kept to point at.

use spillgate_codec::import::{ClusterPlaces, ImportFault, ImportField};
use spillgate_core::model::Cluster;

/// What the user pasted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    /// The configuration.
    pub config: String,
    /// What `/clusters` said; empty without.
    pub clusters: String,
}

impl Texts {
    /// The text of a field.
    #[must_use]
    pub fn of(&self, field: ImportField) -> &str {
        match field {
            ImportField::Config => &self.config,
            ImportField::Clusters => &self.clusters,
        }
    }
}

/// An import: its texts, what they say, and where.
#[derive(Debug)]
pub struct ImportOrigin {
    /// The texts.
    pub texts: Texts,
    /// What they said, before any edit.
    pub clusters: Vec<Cluster>,
    /// Where, by cluster.
    pub places: Vec<ClusterPlaces>,
    /// What is doubtful in them, in the order of the text: fields without effect, and what the
    /// lint rules found.
    pub faults: Vec<ImportFault>,
}
