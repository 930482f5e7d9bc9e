//! How current the known hosts of a cluster are.
//!
//! Until the first poll no hosts are known. Envoy could choose one, but would ignore criteria,
//! chains and `on_lost`: a request of one tenant could reach the hosts of another. So requests
//! under such rules get 503 until the hosts are known, and `on_unknown: pass_through` is an
//! explicit choice. An unknown cluster has no hosts in the snapshot, so an aggregate uses its other
//! members, and no session stays on an unknown host.

use alloc::vec::Vec;

use spillgate_config::filter::UnknownHostsPolicy;
use spillgate_core::snapshot::{ClusterId, ClusterSnapshotKind, Snapshot};

/// How current the known hosts of a cluster are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Freshness {
    /// Reported within `stale_after`, or configured.
    Fresh,
    /// The last report is older than `stale_after` and still used (`on_stale: keep`).
    Stale,
    /// Never reported, or stale with another `on_stale`. The snapshot contains none of its hosts.
    Unknown(UnknownHostsPolicy),
}

impl Freshness {
    /// The freshness of an aggregate. An unknown member cluster is like one without hosts: requests
    /// use the other members, and the aggregate is as current as the least current of these.
    pub(crate) fn of_members(members: impl Iterator<Item = Self> + Clone) -> Self {
        let known = members.clone().filter(|member| !member.is_unknown());
        // The order of the variants is that of age: the least current known member counts.
        known.max().or(members.max()).unwrap_or(Self::Fresh)
    }

    /// The freshness of every cluster, by cluster id. `known` returns that of a cluster with endpoints.
    pub(crate) fn of_clusters(
        snapshot: &Snapshot,
        known: impl Fn(ClusterId) -> Option<Self> + Copy,
    ) -> Vec<Self> {
        let clusters = snapshot.clusters();
        let freshness = clusters.map(|(id, cluster)| match &cluster.kind {
            ClusterSnapshotKind::Aggregate(_) | ClusterSnapshotKind::Composite(_) => {
                Self::of_members(snapshot.owners(id).filter_map(known))
            }
            ClusterSnapshotKind::Plain(_) | ClusterSnapshotKind::OriginalDst(_) => {
                known(id).unwrap_or(Self::Fresh)
            }
        });
        freshness.collect()
    }

    /// Whether requests cannot use the hosts of the cluster.
    pub(crate) const fn is_unknown(self) -> bool {
        matches!(self, Self::Unknown(_))
    }
}
