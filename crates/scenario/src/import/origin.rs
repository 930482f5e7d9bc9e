//! An imported text, with the positions of its values.

use std::sync::Arc;

use spillgate_codec::import::{ClusterPlaces, ImportFault, ImportField, ImportLimit};
use spillgate_codec::link::LinkView;
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
    /// The number of lines of a field, at least 1.
    #[must_use]
    pub fn lines(&self, field: ImportField) -> usize {
        let breaks = self.of(field).bytes().filter(|byte| *byte == b'\n');
        breaks.count() + 1
    }

    /// The size of both texts: `12\u{a0}kB`, `5.0\u{a0}MB`.
    #[must_use]
    pub fn size(&self) -> String {
        let bytes = self.config.len() + self.clusters.len();
        match bytes.div_ceil(1000) {
            thousands @ 0..1000 => format!("{thousands}\u{a0}kB"),
            thousands => format!("{}.{}\u{a0}MB", thousands / 1000, thousands / 100 % 10),
        }
    }

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
#[derive(Debug, Default)]
pub struct ImportOrigin {
    /// The texts.
    pub texts: ImportTexts,
    /// The clusters before any edit.
    pub clusters: Vec<Arc<Cluster>>,
    /// The positions of their values, by cluster.
    pub places: Vec<ClusterPlaces>,
    /// The settings of the playground that the text has; empty for most texts.
    pub view: LinkView,
    /// Warnings and lint findings, the most severe ones first.
    pub faults: Vec<ImportFault>,
    /// The number of further ones.
    pub more: usize,
    /// The settings that are not modeled and concern shares of clusters.
    pub limits: Vec<ImportLimit>,
    /// The clusters whose hosts are not known, by their index.
    pub unknown_hosts: Vec<usize>,
    /// The verdict on each cluster, as its index in [`ResultVerdict::ALL`](crate::ResultVerdict::ALL); `None` if it
    /// was not computed.
    pub verdicts: Vec<Option<usize>>,
    /// The answer of the reader module with all of these.
    pub answer: Vec<u8>,
}

impl ImportOrigin {
    /// The index of the cluster with this name. A scenario may have fewer clusters than its import.
    #[must_use]
    pub fn index_of(&self, name: &str) -> Option<usize> {
        let mut clusters = self.clusters.iter();
        clusters.position(|cluster| cluster.name == name)
    }

    /// Whether these clusters are imported ones in their order, without an edit.
    #[must_use]
    pub fn has(&self, clusters: &[Arc<Cluster>]) -> bool {
        let mut imported = self.clusters.iter();
        let mut clusters = clusters.iter();
        clusters.all(|now| imported.any(|then| then == now))
    }
}
