//! Where the loads of a cluster come from: a snapshot, or counts of its hosts.

use spillgate_core::{
    inspect::{self, CountedCluster, Priorities},
    load::AggregateLoad,
    model::Metadata,
    snapshot::{ClusterId, ClusterSnapshotKind, Snapshot},
};

/// The loads of a cluster and its members.
pub(super) trait LoadSource {
    /// The priorities of a plain cluster.
    fn priorities(&self, cluster: ClusterId) -> Option<Priorities>;

    /// The linearized priorities of an aggregate.
    fn linearized(&self, cluster: ClusterId) -> Option<AggregateLoad<ClusterId>>;

    /// The share of the requests that find no host, in percent.
    fn no_host(&self, cluster: ClusterId) -> f64;
}

/// A snapshot, for requests with these subset criteria.
pub(super) struct Compiled<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) criteria: &'a Metadata,
}

impl LoadSource for Compiled<'_> {
    fn priorities(&self, cluster: ClusterId) -> Option<Priorities> {
        let plain = self.snapshot.plain(cluster)?;
        Some(inspect::priorities(plain, self.criteria))
    }

    fn linearized(&self, cluster: ClusterId) -> Option<AggregateLoad<ClusterId>> {
        match &self.snapshot.cluster(cluster)?.kind {
            ClusterSnapshotKind::Aggregate(aggregate) => Some(aggregate.linearized.clone()),
            _ => None,
        }
    }

    fn no_host(&self, cluster: ClusterId) -> f64 {
        self.snapshot.no_host(cluster, self.criteria)
    }
}

impl LoadSource for CountedCluster<'_> {
    fn priorities(&self, cluster: ClusterId) -> Option<Priorities> {
        Self::priorities(self, cluster)
    }

    fn linearized(&self, cluster: ClusterId) -> Option<AggregateLoad<ClusterId>> {
        Self::linearized(self, cluster)
    }

    fn no_host(&self, cluster: ClusterId) -> f64 {
        Self::no_host(self, cluster)
    }
}

/// The same without the requests that find no host. A type of its own, so that a module that shows
/// only loads does not link what computes them.
pub(super) struct OnlyLoads<'a>(pub(super) &'a CountedCluster<'a>);

impl LoadSource for OnlyLoads<'_> {
    fn priorities(&self, cluster: ClusterId) -> Option<Priorities> {
        self.0.priorities(cluster)
    }

    fn linearized(&self, cluster: ClusterId) -> Option<AggregateLoad<ClusterId>> {
        self.0.linearized(cluster)
    }

    fn no_host(&self, _: ClusterId) -> f64 {
        0.0
    }
}
