//! Snapshots: a model compiled into immutable tables for decisions.
//!
//! A snapshot is built once and then only read. It is `Send` and `Sync`; replacing it means
//! replacing one pointer. A change of host health creates a new snapshot that shares all unchanged
//! parts.
//!
//! The structure follows Envoy's load balancers: a cluster has sets of hosts (the whole cluster,
//! its subsets, the sets of chain steps), a [set](PrioritySet) has priorities with loads, and a
//! [priority of a set](HostSet) has host lists by class and locality and an optional hash table.

mod build;
mod build_table;
mod chain;
mod cluster;
mod host_set;
mod ids;
mod list;
mod priority_hosts;
mod rebuild;
mod set;
mod settings;
mod table;
mod update;
mod zones;

pub use chain::{AggregateStep, PlainStep};
pub use cluster::{
    AggregateSnapshot, ClusterSnapshot, ClusterSnapshotKind, CompositeSnapshot, PlainSnapshot,
    Subsets,
};
pub use host_set::{EffectiveWeights, HostSet, HostsSource, Localities, Zones};
pub use ids::{ClusterId, HostRef};
pub use list::HostList;
pub use priority_hosts::PriorityHosts;
pub use set::PrioritySet;
pub use settings::Settings;
pub use table::{BoundedHosts, HashTable, RendezvousHost, TableKind};

use alloc::{sync::Arc, vec::Vec};

use crate::{
    model::{ChainStep, Endpoint, OverrideHostSource},
    names::Names,
};

/// All clusters of a model, compiled. [`Snapshot::build`] has an example.
#[derive(Debug, Clone)]
pub struct Snapshot {
    clusters: Vec<Arc<ClusterSnapshot>>,
    names: Arc<Names>,
    /// The cluster of the proxies (`local_cluster_name`).
    local: Option<ClusterId>,
    chain: Arc<[Arc<ChainStep>]>,
}

impl Snapshot {
    /// A snapshot without clusters.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            clusters: Vec::new(),
            names: Arc::default(),
            local: None,
            chain: Arc::default(),
        }
    }

    /// The id of the cluster with this name.
    #[must_use]
    pub fn cluster_id(&self, name: &str) -> Option<ClusterId> {
        self.names.get(name).map(ClusterId::new)
    }

    /// The cluster with this id.
    #[must_use]
    pub fn cluster(&self, id: ClusterId) -> Option<&ClusterSnapshot> {
        self.clusters.get(id.index()).map(|cluster| &**cluster)
    }

    /// The cluster with this id, if it has endpoints.
    #[must_use]
    pub fn plain(&self, id: ClusterId) -> Option<&PlainSnapshot> {
        match &self.cluster(id)?.kind {
            ClusterSnapshotKind::Plain(plain) => Some(plain),
            ClusterSnapshotKind::Aggregate(_)
            | ClusterSnapshotKind::Composite(_)
            | ClusterSnapshotKind::OriginalDst(_) => None,
        }
    }

    /// The steps of the subset fallback chain, in order; empty if Envoy's own subset rules apply.
    #[must_use]
    pub fn chain(&self) -> &[Arc<ChainStep>] {
        &self.chain
    }

    /// The endpoint of a host.
    #[must_use]
    pub fn endpoint(&self, host: HostRef) -> Option<&Endpoint> {
        self.plain(host.cluster)?.endpoint(host.priority, host.host)
    }

    /// The clusters whose hosts serve requests to a cluster: the cluster itself, or its members.
    pub fn owners(&self, id: ClusterId) -> impl Iterator<Item = ClusterId> + Clone {
        let (own, members) = match self.cluster(id).map(|cluster| &cluster.kind) {
            Some(ClusterSnapshotKind::Plain(_)) => (Some(id), &[][..]),
            Some(ClusterSnapshotKind::Aggregate(aggregate)) => (None, aggregate.members.as_slice()),
            Some(ClusterSnapshotKind::Composite(composite)) => (None, composite.owners.as_slice()),
            Some(ClusterSnapshotKind::OriginalDst(_)) | None => (None, &[][..]),
        };
        own.into_iter().chain(members.iter().copied())
    }

    /// Where a cluster finds the override host list of a request; a composite cluster as its first member
    /// that has one.
    #[must_use]
    pub fn override_sources(&self, id: ClusterId) -> &[OverrideHostSource] {
        let sources = |id| self.plain(id).map(|plain| &*plain.settings.override_hosts);
        match self.cluster(id).map(|cluster| &cluster.kind) {
            Some(ClusterSnapshotKind::Plain(_)) => sources(id).unwrap_or_default(),
            Some(ClusterSnapshotKind::Composite(composite)) => {
                let members = composite.owners.iter().filter_map(|id| sources(*id));
                let mut listing = members.filter(|sources| !sources.is_empty());
                listing.next().unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// The cluster, its members and their members, in this order.
    #[must_use]
    pub fn with_members(&self, id: ClusterId) -> Vec<ClusterId> {
        let mut all = Vec::from([id]);
        let mut at = 0;
        while let Some(found) = all.get(at).and_then(|id| self.cluster(*id)) {
            let nested: Vec<ClusterId> = match &found.kind {
                ClusterSnapshotKind::Aggregate(aggregate) => aggregate.members.clone(),
                ClusterSnapshotKind::Composite(composite) => {
                    composite.members.iter().copied().flatten().collect()
                }
                ClusterSnapshotKind::Plain(_) | ClusterSnapshotKind::OriginalDst(_) => Vec::new(),
            };
            for member in nested {
                if !all.contains(&member) {
                    all.push(member);
                }
            }
            at += 1;
        }
        all
    }

    /// All clusters with their ids, in configuration order.
    pub fn clusters(&self) -> impl Iterator<Item = (ClusterId, &ClusterSnapshot)> {
        self.clusters
            .iter()
            .enumerate()
            .map(|(index, cluster)| (ClusterId::new(index), &**cluster))
    }

    /// Whether a cluster has the same hosts as in another snapshot, whatever their health: then a
    /// [`HostRef`] to the cluster has the same meaning in both. Only snapshots that were made from
    /// each other can have the same hosts.
    #[must_use]
    pub fn has_hosts_of(&self, id: ClusterId, other: &Self) -> bool {
        match (self.plain(id), other.plain(id)) {
            (Some(plain), Some(other)) => {
                let mut pairs = plain.priorities.iter().zip(&other.priorities);
                let same = |(a, b): (&PriorityHosts, &PriorityHosts)| {
                    Arc::ptr_eq(&a.configured, &b.configured)
                };
                plain.priorities.len() == other.priorities.len() && pairs.all(same)
            }
            (plain, other) => plain.is_none() && other.is_none(),
        }
    }

    /// Whether a cluster is shared with another snapshot, so that values derived from it remain
    /// valid.
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
