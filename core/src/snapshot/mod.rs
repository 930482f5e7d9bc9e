//! What answers: a model compiled into immutable tables.
//!
//! A snapshot is built whole and then only read. It is `Send` and `Sync`; replacing it is one
//! pointer. A change of health makes a new snapshot that shares all it does not touch.

mod build;
mod build_table;
mod chain;
mod cluster;
mod host_set;
mod hosts;
mod ids;
mod list;
mod set;
mod settings;
mod table;
mod update;
mod zones;

pub use chain::{AggregateStep, PlainStep};
pub use cluster::{
    AggregateSnapshot, ClusterSnapshot, ClusterSnapshotKind, PlainSnapshot, Subsets,
};
pub use host_set::{EffectiveWeights, HostSet, Localities, Source, Zones};
pub use hosts::PriorityHosts;
pub use ids::{ClusterId, HostRef};
pub use list::HostList;
pub use set::PrioritySet;
pub use settings::Settings;
pub use table::{BoundedHosts, HashTable, RendezvousHost, TableKind};

use alloc::{sync::Arc, vec::Vec};

use crate::{
    model::{ChainStep, Endpoint},
    names::Names,
};

/// All clusters, compiled.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    clusters: Vec<Arc<ClusterSnapshot>>,
    names: Arc<Names>,
    /// The cluster of the proxies themselves.
    local: Option<ClusterId>,
    chain: Arc<[Arc<ChainStep>]>,
}

impl Snapshot {
    /// The number that a name stands for.
    #[must_use]
    pub fn cluster_id(&self, name: &str) -> Option<ClusterId> {
        self.names.get(name).map(ClusterId::new)
    }

    /// The cluster of a number.
    #[must_use]
    pub fn cluster(&self, id: ClusterId) -> Option<&ClusterSnapshot> {
        self.clusters.get(id.index()).map(|cluster| &**cluster)
    }

    /// The cluster of a number, if it owns endpoints.
    #[must_use]
    pub fn plain(&self, id: ClusterId) -> Option<&PlainSnapshot> {
        match &self.cluster(id)?.kind {
            ClusterSnapshotKind::Plain(plain) => Some(plain),
            ClusterSnapshotKind::Aggregate(_) | ClusterSnapshotKind::OriginalDst(_) => None,
        }
    }

    /// The steps of the chain, in order; none where Envoy's own subset rules hold.
    #[must_use]
    pub fn chain(&self) -> &[Arc<ChainStep>] {
        &self.chain
    }

    /// A host as configured.
    #[must_use]
    pub fn endpoint(&self, host: HostRef) -> Option<&Endpoint> {
        self.plain(host.cluster)?.endpoint(host.priority, host.host)
    }

    /// The clusters that own the hosts of requests to a cluster: itself, or its members.
    pub fn owners(&self, id: ClusterId) -> impl Iterator<Item = ClusterId> {
        let (own, members) = match self.cluster(id).map(|cluster| &cluster.kind) {
            Some(ClusterSnapshotKind::Plain(_)) => (Some(id), &[][..]),
            Some(ClusterSnapshotKind::Aggregate(aggregate)) => (None, aggregate.members.as_slice()),
            Some(ClusterSnapshotKind::OriginalDst(_)) | None => (None, &[][..]),
        };
        own.into_iter().chain(members.iter().copied())
    }

    /// All clusters with their numbers, in configuration order.
    pub fn clusters(&self) -> impl Iterator<Item = (ClusterId, &ClusterSnapshot)> {
        self.clusters
            .iter()
            .enumerate()
            .map(|(index, cluster)| (ClusterId::new(index), &**cluster))
    }

    /// Whether a cluster is the very same in another snapshot, so that all that was derived from
    /// it still holds.
    pub(crate) fn shares_cluster(&self, id: ClusterId, other: &Self) -> bool {
        match (
            self.clusters.get(id.index()),
            other.clusters.get(id.index()),
        ) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}
