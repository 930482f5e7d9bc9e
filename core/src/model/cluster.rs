//! Clusters: plain clusters with endpoints, aggregate and composite clusters, and `ORIGINAL_DST`
//! clusters.
//!
//! The types mirror `envoy.config.cluster.v3.Cluster` and
//! `envoy.config.endpoint.v3.ClusterLoadAssignment` as far as load balancing reads them. Defaults
//! are Envoy's defaults.

use alloc::{string::String, vec::Vec};

use super::{
    DropOverload, Endpoint, HashBalanceFactor, HealthyFor, Locality, LocalityLb,
    OverprovisioningFactor, OverrideHostSource, OverrideStatuses, PanicThreshold, Policy,
    SlowStart, SubsetConfig,
};
use crate::request::HashPolicy;

/// One cluster (`envoy.config.cluster.v3.Cluster`).
///
/// # Examples
/// ```
/// use spillgate_core::model::{Cluster, Endpoint, PlainCluster, Policy, Priority};
///
/// let cluster = Cluster::plain(
///     "shop",
///     PlainCluster {
///         policy: Policy::Random,
///         priorities: vec![Priority::single_locality(vec![Endpoint::new("10.0.0.1:80")])],
///         ..PlainCluster::default()
///     },
/// );
/// assert_eq!(cluster.priorities().len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// The name in routes and in aggregate clusters (`Cluster.name`).
    pub name: String,
    /// The type of the cluster with its settings.
    pub kind: ClusterKind,
}

impl Cluster {
    /// A cluster with endpoints.
    #[must_use]
    pub fn plain(name: impl Into<String>, plain: PlainCluster) -> Self {
        Self {
            name: name.into(),
            kind: ClusterKind::Plain(plain),
        }
    }

    /// The priorities of a plain cluster, P0 first; empty for other cluster types.
    #[must_use]
    pub fn priorities(&self) -> &[Priority] {
        match &self.kind {
            ClusterKind::Plain(plain) => &plain.priorities,
            ClusterKind::Aggregate(_) | ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => {
                &[]
            }
        }
    }

    /// The names of the members of an aggregate or composite cluster, in order; empty for other
    /// cluster types.
    #[must_use]
    pub fn members(&self) -> &[String] {
        match &self.kind {
            ClusterKind::Aggregate(aggregate) => &aggregate.members,
            ClusterKind::Composite(composite) => &composite.members,
            ClusterKind::Plain(_) | ClusterKind::OriginalDst(_) => &[],
        }
    }
}

/// The type of a cluster.
#[allow(clippy::large_enum_variant, reason = "nearly all clusters are plain")]
#[derive(Debug, Clone, PartialEq)]
pub enum ClusterKind {
    /// A cluster with endpoints (`STATIC`, `STRICT_DNS`, `LOGICAL_DNS`, `EDS`).
    Plain(PlainCluster),
    /// An aggregate of other clusters (`envoy.clusters.aggregate`).
    Aggregate(AggregateCluster),
    /// Other clusters in the order of attempts (`envoy.clusters.composite`).
    Composite(CompositeCluster),
    /// A cluster whose hosts come from requests (`ORIGINAL_DST`).
    OriginalDst(OriginalDstCluster),
}

/// A cluster with endpoints.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlainCluster {
    /// The load-balancing policy within a priority (`Cluster.lb_policy`, `load_balancing_policy`);
    /// default round robin.
    pub policy: Policy,
    /// The panic threshold in percent, 0 to 100; default 50
    /// (`CommonLbConfig.healthy_panic_threshold`). If fewer hosts of a priority are usable, the
    /// priority is in panic mode and uses all of its hosts.
    pub panic_threshold: PanicThreshold,
    /// The overprovisioning factor in percent; default 140
    /// (`ClusterLoadAssignment.Policy.overprovisioning_factor`).
    pub overprovisioning_factor: OverprovisioningFactor,
    /// Whether the availability of a priority counts host weights instead of hosts
    /// (`ClusterLoadAssignment.Policy.weighted_priority_health`); default false. Panic mode always
    /// counts hosts.
    pub weighted_priority_health: bool,
    /// How the localities of a priority share its requests (`LocalityLbConfig`); default zone
    /// aware.
    pub locality_lb: LocalityLb,
    /// Slow start for newly healthy hosts (`SlowStartConfig`); `None` disables it.
    pub slow_start: Option<SlowStart>,
    /// The hosts that became healthy during the window of [`slow_start`](Self::slow_start), as an input
    /// of a prediction; other hosts count as healthy for longer.
    pub healthy_for: Vec<HealthyFor>,
    /// Bounded load for hash policies (`ConsistentHashingLbConfig.hash_balance_factor`); `None`
    /// disables it.
    pub hash_balance_factor: Option<HashBalanceFactor>,
    /// Hash policies in the load-balancing policy (`ConsistentHashingLbConfig.hash_policy`). If not
    /// empty, they replace the hash policies of the route, even if they yield no hash.
    pub hash_policies: Vec<HashPolicy>,
    /// Request headers and metadata with an override host list, in order
    /// (`OverrideHost.override_host_sources` of `envoy.load_balancing_policies.override_host`). A
    /// listed host serves whatever its health.
    pub override_hosts: Vec<OverrideHostSource>,
    /// The host statuses in which a host keeps its stateful sessions
    /// (`CommonLbConfig.override_host_status`).
    pub override_statuses: OverrideStatuses,
    /// The share of requests that is dropped before a host is chosen
    /// (`ClusterLoadAssignment.Policy.drop_overloads`).
    pub drop_overload: DropOverload,
    /// Subset load balancing (`Cluster.lb_subset_config`); `None` if the cluster has no subsets.
    pub subsets: Option<SubsetConfig>,
    /// The priorities, P0 first. A priority number that the configuration omits is an empty
    /// priority.
    pub priorities: Vec<Priority>,
}

/// One priority of a cluster: its localities and endpoints.
///
/// [`Model::new`](super::Model::new) checks that every endpoint belongs to a locality of its
/// priority.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Priority {
    /// The localities that [`Endpoint::locality`] refers to, in configuration order.
    pub localities: Vec<PriorityLocality>,
    /// The endpoints in configuration order. Hash tables and round robin depend on this order.
    pub endpoints: Vec<Endpoint>,
}

impl Priority {
    /// A priority with a single unnamed locality. [`Endpoint::locality`] of all endpoints must
    /// be 0.
    #[must_use]
    pub fn single_locality(endpoints: Vec<Endpoint>) -> Self {
        Self {
            localities: [PriorityLocality::default()].into(),
            endpoints,
        }
    }

    /// The index of a locality. A new locality is appended without a weight.
    pub fn locality_index(&mut self, locality: Locality) -> usize {
        let known = self.localities.iter().position(|l| l.locality == locality);
        known.unwrap_or_else(|| {
            self.localities.push(PriorityLocality {
                locality,
                weight: None,
            });
            self.localities.len() - 1
        })
    }
}

/// A locality with its weight in one priority (`LocalityLbEndpoints`).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PriorityLocality {
    /// Region, zone and sub-zone (`LocalityLbEndpoints.locality`).
    pub locality: Locality,
    /// The locality weight, 1 to 2^32-1 (`LocalityLbEndpoints.load_balancing_weight`); `None` if
    /// not configured, which counts as 0.
    pub weight: Option<u32>,
}

/// An aggregate cluster (`envoy.extensions.clusters.aggregate.v3.ClusterConfig`). Its priorities
/// are the linearized priorities of its members.
#[derive(Debug, Clone, PartialEq)]
pub struct AggregateCluster {
    /// Member cluster names, most preferred first (`ClusterConfig.clusters`). As in Envoy, names of
    /// missing clusters are skipped.
    pub members: Vec<String>,
    /// The panic threshold of the aggregate, in percent. Each member also applies its own threshold
    /// to its own priorities.
    pub panic_threshold: PanicThreshold,
    /// Whether a nested aggregate is replaced by its members, depth first, each plain cluster at
    /// its first position (gRFC A37, A75). With false, nested aggregates are skipped, as in Envoy.
    pub flatten: bool,
}

/// A composite cluster (`envoy.extensions.clusters.composite.v3.ClusterConfig`): the first attempt of
/// a request goes to the first member, the second to the second, and an attempt after the last
/// member has no host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompositeCluster {
    /// The names of the members, in the order of attempts (`ClusterConfig.clusters`); a name may
    /// repeat.
    pub members: Vec<String>,
    /// Whether an attempt goes on to the next members until one has a host for it
    /// (`envoy.reloadable_features.composite_cluster_skip_clusters_without_hosts`, true by default).
    /// With false, it has no host.
    pub skips: bool,
}

/// A cluster that sends each request to the destination that the request asks for (`ORIGINAL_DST`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OriginalDstCluster {
    /// The request header with the destination address, in lower case
    /// (`OriginalDstLbConfig.use_http_header`, `http_header_name`); `None` if the cluster uses the
    /// original destination of the connection.
    pub http_header: Option<String>,
    /// The port that replaces the port of the destination, 1 to 65535
    /// (`OriginalDstLbConfig.upstream_port_override`).
    pub upstream_port: Option<u16>,
}
