//! Clusters: a plain one owns endpoints by priority priority, an aggregate strings others together.

use alloc::{string::String, vec::Vec};

use super::{
    DropOverload, Endpoint, HashBalanceFactor, HostSource, Locality, LocalityLb,
    OverprovisioningFactor, OverrideStatuses, PanicThreshold, Policy, SlowStart, SubsetConfig,
};
use crate::request::HashPolicy;

/// One named cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// The name that routes and aggregates use (`Cluster.name`).
    pub name: String,
    /// What stands behind the name.
    pub kind: ClusterKind,
}

impl Cluster {
    /// Its own priority priorities, 0 first.
    #[must_use]
    pub fn priorities(&self) -> &[Priority] {
        match &self.kind {
            ClusterKind::Plain(plain) => &plain.priorities,
            ClusterKind::Aggregate(_) | ClusterKind::OriginalDst(_) => &[],
        }
    }
}

/// What a cluster is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum ClusterKind {
    /// Endpoints of its own.
    Plain(PlainCluster),
    /// Other clusters, tried in order (`envoy.clusters.aggregate`).
    Aggregate(AggregateCluster),
    /// Nothing of its own: the request says where it goes (`ORIGINAL_DST`).
    OriginalDst(OriginalDstCluster),
}

/// A cluster with endpoints.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlainCluster {
    /// How a host is chosen within a priority.
    pub policy: Policy,
    /// Below this share of usable hosts a priority serves from all its hosts
    /// (`CommonLbConfig.healthy_panic_threshold`).
    pub panic_threshold: PanicThreshold,
    /// How much of its traffic a priority still takes when hosts are missing
    /// (`ClusterLoadAssignment.Policy.overprovisioning_factor`).
    pub overprovisioning_factor: OverprovisioningFactor,
    /// Whether availability counts host weights instead of hosts
    /// (`ClusterLoadAssignment.Policy.weighted_priority_health`).
    pub weighted_priority_health: bool,
    /// How the localities of a priority share its traffic.
    pub locality_lb: LocalityLb,
    /// Hosts that are new to health get less at first.
    pub slow_start: Option<SlowStart>,
    /// Hash policies pass over hosts with too many requests.
    pub hash_balance_factor: Option<HashBalanceFactor>,
    /// The balancer's own hash policies; they replace those of the route, even when they yield
    /// nothing (`ConsistentHashingLbConfig.hash_policy`).
    pub hash_policies: Vec<HashPolicy>,
    /// Where requests may name the hosts that serve them, whatever the policy and their health
    /// (`envoy.load_balancing_policies.override_host` around the policy).
    pub override_hosts: Vec<HostSource>,
    /// In which states a host that a session names is kept
    /// (`CommonLbConfig.override_host_status`).
    pub override_statuses: OverrideStatuses,
    /// Requests that are refused before a host is chosen.
    pub drop_overload: DropOverload,
    /// Groups of hosts by metadata.
    pub subsets: Option<SubsetConfig>,
    /// The priority priorities, 0 first. A priority that the configuration leaves out is empty.
    pub priorities: Vec<Priority>,
}

/// One priority priority.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Priority {
    /// The localities that endpoints of this priority refer to, in configuration order.
    pub localities: Vec<PriorityLocality>,
    /// The endpoints, in configuration order; hash tables and round robin depend on it.
    pub endpoints: Vec<Endpoint>,
}

/// A locality as it stands in one priority.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PriorityLocality {
    /// Which one.
    pub locality: Locality,
    /// `LocalityLbEndpoints.load_balancing_weight`; `None` where the configuration has none.
    pub weight: Option<u32>,
}

/// A list of clusters whose priorities are strung together.
#[derive(Debug, Clone, PartialEq)]
pub struct AggregateCluster {
    /// Cluster names, most preferred first. A name that the model lacks is skipped, as Envoy does.
    pub members: Vec<String>,
    /// The aggregate's own threshold. Each member keeps its own beside it.
    pub panic_threshold: PanicThreshold,
    /// Whether an aggregate among the members stands for its own members, depth first, each plain
    /// cluster where it comes first (gRFC A37, A75). Envoy skips such a member.
    pub flatten: bool,
}

/// A cluster whose hosts are the destinations that requests ask for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OriginalDstCluster {
    /// The request header that names the destination, where one may
    /// (`OriginalDstLbConfig.use_http_header`).
    pub http_header: Option<String>,
    /// The port that replaces that of the destination (`upstream_port_override`).
    pub upstream_port: Option<u16>,
}
