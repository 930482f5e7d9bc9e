//! Clusters: a plain one owns endpoints by priority level, an aggregate strings others together.

use alloc::{string::String, vec::Vec};

use super::{Endpoint, Locality, OverprovisioningFactor, PanicThreshold, Policy};

/// One named cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// The name that routes and aggregates use (`Cluster.name`).
    pub name: String,
    /// What stands behind the name.
    pub kind: ClusterKind,
}

/// What a cluster is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum ClusterKind {
    /// Endpoints of its own.
    Plain(PlainCluster),
    /// Other clusters, tried in order (`envoy.clusters.aggregate`).
    Aggregate(AggregateCluster),
}

/// A cluster with endpoints.
#[derive(Debug, Clone, PartialEq)]
pub struct PlainCluster {
    /// How a host is chosen within a level.
    pub policy: Policy,
    /// Below this share of usable hosts a level serves from all its hosts
    /// (`CommonLbConfig.healthy_panic_threshold`).
    pub panic_threshold: PanicThreshold,
    /// How much of its traffic a level still takes when hosts are missing
    /// (`ClusterLoadAssignment.Policy.overprovisioning_factor`).
    pub overprovisioning_factor: OverprovisioningFactor,
    /// Whether availability counts host weights instead of hosts
    /// (`ClusterLoadAssignment.Policy.weighted_priority_health`).
    pub weighted_priority_health: bool,
    /// Whether locality weights share out the traffic of a level
    /// (`CommonLbConfig.locality_weighted_lb_config`). Hash policies honour it.
    pub locality_weighted: bool,
    /// The priority levels, 0 first. A level that the configuration leaves out is empty.
    pub levels: Vec<Level>,
}

/// One priority level.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Level {
    /// The localities that endpoints of this level refer to, in configuration order.
    pub localities: Vec<LevelLocality>,
    /// The endpoints, in configuration order; hash tables and round robin depend on it.
    pub endpoints: Vec<Endpoint>,
}

/// A locality as it stands in one level.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LevelLocality {
    /// Which one.
    pub locality: Locality,
    /// `LocalityLbEndpoints.load_balancing_weight`; `None` where the configuration has none.
    pub weight: Option<u32>,
}

/// A list of clusters whose levels are strung together.
#[derive(Debug, Clone, PartialEq)]
pub struct AggregateCluster {
    /// Cluster names, most preferred first. A name that the model lacks is skipped, as Envoy does.
    pub members: Vec<String>,
    /// The aggregate's own threshold. Each member keeps its own beside it.
    pub panic_threshold: PanicThreshold,
}
