//! An imported text, with the positions of its values.

use spillgate_codec::import::{ClusterPlaces, ImportFault, ImportField};
use spillgate_core::model::Cluster;

/// The texts in the import dialog.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportTexts {
    /// The configuration.
    pub config: String,
    /// The output of `/clusters`; may be empty.
    pub clusters: String,
}

impl ImportTexts {
    /// The text of a field.
    #[must_use]
    pub fn of(&self, field: ImportField) -> &str {
        match field {
            ImportField::Config => &self.config,
            ImportField::Clusters => &self.clusters,
        }
    }
}

/// An import: texts, clusters, positions and findings.
#[derive(Debug)]
pub struct ImportOrigin {
    /// The texts.
    pub texts: ImportTexts,
    /// The clusters before any edit.
    pub clusters: Vec<Cluster>,
    /// The positions of their values, by cluster.
    pub places: Vec<ClusterPlaces>,
    /// Warnings and lint findings, in the order of the text.
    pub faults: Vec<ImportFault>,
}
