//! The part of a configuration that a step or a figure depends on.

use crate::{
    snapshot::{ClusterId, HostRef},
    subset::{SetChoice, SubsetReason},
};

/// The part of a configuration that a step depends on most. A reader of the text maps it to a
/// line and a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigRef {
    /// The route of the request, or this cluster if the request was not routed.
    Route(ClusterId),
    /// The route of the request.
    RouteMatch,
    /// The hash policy of the route.
    RouteHash,
    /// The weighted clusters of the route.
    RouteSplit,
    /// The metadata match of the route.
    RouteCriteria,
    /// The retry policy of the route.
    RouteRetry,
    /// The session filter of the route.
    RouteSession,
    /// A cluster as a whole.
    Cluster(ClusterId),
    /// The members of an aggregate cluster.
    Members(ClusterId),
    /// The session affinity of the filter.
    Sessions,
    /// The drop overloads of a cluster.
    DropOverload(ClusterId),
    /// The hash policy in the load-balancing policy of a cluster.
    ClusterHash(ClusterId),
    /// A subset of a cluster and why it was selected; `None` if no subset was.
    Subset(ClusterId, Option<(SetChoice, SubsetReason)>),
    /// A step of the subset fallback chain, by its index.
    ChainStep(usize),
    /// The host statuses in which a host of a cluster keeps its sessions.
    OverrideStatuses(ClusterId),
    /// The panic threshold of a cluster.
    PanicThreshold(ClusterId),
    /// The overprovisioning factor of a cluster.
    OverprovisioningFactor(ClusterId),
    /// The locality settings of a cluster.
    LocalityLb(ClusterId),
    /// A locality of a priority.
    Locality {
        /// The cluster.
        cluster: ClusterId,
        /// The priority.
        priority: usize,
        /// The index of the locality in the priority.
        locality: usize,
    },
    /// The load-balancing policy of a cluster.
    Policy(ClusterId),
    /// A host.
    Host(HostRef),
}

/// A priority of a cluster that has endpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PriorityRef {
    /// The cluster.
    pub cluster: ClusterId,
    /// The priority, from 0.
    pub priority: usize,
}
