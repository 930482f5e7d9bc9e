//! One of the two configurations with its clusters by name, and the requests to them.

use spillgate_core::model::ClusterKind;
use spillgate_sim::ClusterIndex;

use crate::{DiffSide, RoutedRequests};

/// One of the two configurations with its clusters by name, and the requests to them.
pub(crate) struct IndexedSide<'a> {
    pub(crate) side: &'a DiffSide<'a>,
    pub(crate) names: ClusterIndex<'a>,
    pub(crate) requests: RoutedRequests<'a>,
}

impl<'a> IndexedSide<'a> {
    pub(crate) fn new(side: &'a DiffSide<'a>) -> Self {
        Self::with_requests(side, side.requests())
    }

    pub(crate) fn with_requests(side: &'a DiffSide<'a>, requests: RoutedRequests<'a>) -> Self {
        Self {
            names: ClusterIndex::new(side.model),
            requests,
            side,
        }
    }

    /// Where the hosts of a cluster are from; `None` if they are addresses of the configuration.
    pub(crate) fn source(&self, cluster: &str) -> Option<&'a str> {
        self.side.source(cluster)
    }

    /// How the names of a cluster's hosts are resolved; `None` if no host is a name.
    pub(crate) fn resolved(&self, cluster: &str) -> Option<&'a str> {
        self.side.resolved?.get(cluster).map(String::as_str)
    }

    /// Whether the hosts of a cluster, or of another one that its decisions read, are not known.
    pub(crate) fn is_unknown(&self, cluster: &str) -> bool {
        let unknown = self.side.unknown;
        !unknown.is_empty() && {
            let mut read = self.names.read_by([cluster]).into_iter();
            read.any(|name| unknown.contains_key(name))
        }
    }

    /// Whether requests name the hosts of a cluster, or of another one that its decisions read: an ORIGINAL_DST cluster
    /// has no hosts of its own.
    pub(crate) fn takes_hosts_of_requests(&self, cluster: &str) -> bool {
        let mut read = self.names.read_by([cluster]).into_iter();
        read.any(|name| {
            let kind = self.names.get(name).map(|cluster| &cluster.kind);
            matches!(kind, Some(ClusterKind::OriginalDst(_)))
        })
    }
}
