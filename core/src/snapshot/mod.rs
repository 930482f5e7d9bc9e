//! What answers: a model compiled into immutable tables.
//!
//! A snapshot is built whole and then only read. It is `Send` and `Sync`; replacing it is one
//! pointer.

mod build;
mod cluster;
mod distribution;
mod level;
mod table;

pub use cluster::{AggregateSnapshot, ClusterId, ClusterSnapshot, Kind, PlainSnapshot};
pub use distribution::{Distribution, Share};
pub use level::{HostList, LevelSnapshot};
pub use table::HashTable;

use alloc::{collections::BTreeMap, string::String, vec::Vec};

/// All clusters, compiled.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    clusters: Vec<ClusterSnapshot>,
    names: BTreeMap<String, ClusterId>,
}

impl Snapshot {
    /// The number that a name stands for.
    #[must_use]
    pub fn cluster_id(&self, name: &str) -> Option<ClusterId> {
        self.names.get(name).copied()
    }

    /// The cluster of a number.
    #[must_use]
    pub fn cluster(&self, id: ClusterId) -> Option<&ClusterSnapshot> {
        self.clusters.get(id.index())
    }

    /// The cluster of a number, if it owns endpoints.
    #[must_use]
    pub fn plain(&self, id: ClusterId) -> Option<&PlainSnapshot> {
        match &self.cluster(id)?.kind {
            Kind::Plain(plain) => Some(plain),
            Kind::Aggregate(_) => None,
        }
    }

    /// All clusters with their numbers, in configuration order.
    pub fn clusters(&self) -> impl Iterator<Item = (ClusterId, &ClusterSnapshot)> {
        self.clusters
            .iter()
            .enumerate()
            .map(|(index, cluster)| (ClusterId::new(index), cluster))
    }
}
