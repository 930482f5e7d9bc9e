//! The positions of values that explanations point to.

#[cfg(feature = "yaml")]
use alloc::boxed::Box;
use alloc::{string::String, vec::Vec};
use core::time::Duration;

use spillgate_core::{
    names::Names,
    route::{RetryBackOff, RetryCap},
};

#[cfg(feature = "health")]
use super::health_settings::HealthSettings;
use super::{facts::ClusterFacts, retry_time::RetryTime};
use crate::{Position, undecided::UndecidedRequests};

/// The positions of all clusters, by name, and of the proxy's own settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Marks {
    /// `node.locality`.
    pub local_locality: Option<Position>,
    /// `cluster_manager.local_cluster_name`.
    pub local_cluster: Option<Position>,
    /// The path of that field.
    pub(crate) local_cluster_path: String,
    /// Whether the input has no bootstrap, so that these are not known.
    pub(crate) lacks_bootstrap: bool,
    names: Names,
    clusters: Vec<ClusterMarks>,
}

/// The positions of one cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterMarks {
    /// The cluster.
    pub cluster: Position,
    /// The policy: `lb_policy`, or the policy used from `load_balancing_policy`.
    pub lb_policy: Option<Position>,
    /// `common_lb_config.healthy_panic_threshold`.
    pub healthy_panic_threshold: Option<Position>,
    /// `common_lb_config.override_host_status`.
    pub override_host_status: Option<Position>,
    /// `load_assignment.policy.overprovisioning_factor`.
    pub overprovisioning_factor: Option<Position>,
    /// The member list of an aggregate.
    pub members: Option<Position>,
    /// The zone-aware or locality-weighted settings.
    pub locality_lb: Option<Position>,
    /// `slow_start_config`.
    pub slow_start: Option<Position>,
    /// `hash_balance_factor`.
    pub hash_balance_factor: Option<Position>,
    /// The policy's own `hash_policy`.
    pub hash_policy: Option<Position>,
    /// The drop overload of the assignment.
    pub drop_overload: Option<Position>,
    /// `lb_subset_config`, or the typed subset policy.
    pub subset: Option<Position>,
    /// The selectors, in model order.
    pub subset_selectors: Vec<Position>,
    /// Why its hosts are not known; `None` if they are.
    pub unknown_hosts: Option<UnknownHosts>,
    /// What the dynamic module's policy does with undecided attempts, if the cluster has that policy.
    pub undecided: Option<UndecidedRequests>,
    /// The file of that policy. The filter, whose clusters have no such policy, never reads it.
    #[cfg(feature = "yaml")]
    policy_module: Option<String>,
    /// The settings of `load_aware_locality`, if its inner policy chooses among the hosts of a locality.
    pub load_aware: Option<LoadAware>,
    /// What it allows at the same time.
    pub circuit_breakers: CircuitBreakers,
    /// By priority and index: the first position of each locality, as in the model.
    pub localities: Vec<Vec<Position>>,
    /// By priority and index: the endpoints, as in the model.
    pub priorities: Vec<Vec<EndpointMarks>>,
    /// The settings that decide when hosts are ejected; `None` if the input has only the hosts of the cluster.
    #[cfg(feature = "health")]
    pub health: Option<Box<HealthSettings>>,
    /// Further facts; only while lint reads the cluster, which the filter never does.
    #[cfg(feature = "yaml")]
    facts: Option<Box<ClusterFacts>>,
}

/// What a cluster allows at the same time, by routing priority (`CircuitBreakers.thresholds`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CircuitBreakers {
    /// For routes of priority `DEFAULT`.
    pub default: Thresholds,
    /// For routes of priority `HIGH`.
    pub high: Thresholds,
}

/// The limits of one routing priority.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// The limit of retries.
    pub retries: RetryLimit,
    /// The limit of connections (`max_connections`, default 1,024).
    pub connections: u32,
    /// The limit of requests that wait for a connection (`max_pending_requests`, default 1,024).
    pub pending_requests: u32,
    /// The limit of requests (`max_requests`, default 1,024).
    pub requests: u32,
}

impl Thresholds {
    /// Envoy's default of the limits of connections and requests.
    pub const DEFAULT_MOST: u32 = 1_024;
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            retries: RetryLimit::default(),
            connections: Self::DEFAULT_MOST,
            pending_requests: Self::DEFAULT_MOST,
            requests: Self::DEFAULT_MOST,
        }
    }
}

impl CircuitBreakers {
    /// The limits of requests with the routing priority `HIGH`, or with the default.
    #[must_use]
    pub const fn of(&self, high: bool) -> &Thresholds {
        if high { &self.high } else { &self.default }
    }
}

/// The limit of retries.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RetryLimit {
    /// The limit.
    pub cap: RetryCap,
    /// Its position; `None` for the default.
    pub position: Option<Position>,
}

/// The settings of `load_aware_locality` that decide the shares of localities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadAware {
    /// How far the utilization of the proxy's own locality may exceed that of the others before it
    /// loses requests to them (`utilization_variance_threshold`, 0 to 1, default 0.1).
    pub threshold: f64,
    /// The least share of the other localities (`remote_probe_fraction`, 0 to below 1, default 0.03).
    pub probe: f64,
}

/// Why the hosts of a cluster are not known, unlike those of a cluster without hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownHosts {
    /// The input has no endpoints of an EDS cluster.
    NotInInput,
    /// The cluster type is an extension that provides its hosts itself.
    Extension,
    /// As [`UnknownHosts::Extension`]; the extension also chooses the host of each request
    /// (`CLUSTER_PROVIDED`).
    ExtensionChooses,
    /// A Spillgate filter chooses them, and the input has a configuration that it rejects in place of the
    /// one that serves.
    RejectedFilter,
}

/// The positions of one endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndpointMarks {
    /// The `LbEndpoint`.
    pub endpoint: Position,
    /// Its `health_status`.
    pub health_status: Option<Position>,
}

impl Marks {
    /// The positions of a cluster.
    #[must_use]
    pub fn cluster(&self, name: &str) -> Option<&ClusterMarks> {
        self.clusters.get(self.names.get(name)?)
    }

    /// The positions of an endpoint: its priority and its index within the priority.
    #[must_use]
    pub fn endpoint(&self, cluster: &str, priority: usize, index: usize) -> Option<&EndpointMarks> {
        self.cluster(cluster)?.priorities.get(priority)?.get(index)
    }

    /// Whether the hosts of a cluster are known; also true for an unknown cluster.
    #[must_use]
    pub fn knows_hosts(&self, name: &str) -> bool {
        self.cluster(name)
            .is_none_or(|cluster| cluster.unknown_hosts.is_none())
    }

    /// Marks of a configuration that was not read from text: the hosts of these clusters are chosen by
    /// requests and not known.
    #[must_use]
    pub fn choosing<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut marks = Self::default();
        for name in names {
            let mut cluster = ClusterMarks::new(Position::START);
            cluster.unknown_hosts = Some(UnknownHosts::ExtensionChooses);
            marks.insert(name, cluster);
        }
        marks
    }

    /// The positions of a cluster, to update them when hosts change.
    pub(crate) fn cluster_mut(&mut self, name: &str) -> Option<&mut ClusterMarks> {
        self.clusters.get_mut(self.names.get(name)?)
    }

    pub(super) fn insert(&mut self, name: &str, marks: ClusterMarks) {
        self.names.insert(name, self.clusters.len());
        self.clusters.push(marks);
    }
}

impl ClusterMarks {
    /// A running Envoy reported the hosts of the cluster.
    pub(crate) fn found_hosts(&mut self) {
        use UnknownHosts::{ExtensionChooses, RejectedFilter};
        if !matches!(self.unknown_hosts, Some(ExtensionChooses | RejectedFilter)) {
            self.unknown_hosts = None;
        }
    }

    pub(super) fn new(cluster: Position) -> Self {
        Self {
            cluster,
            lb_policy: None,
            healthy_panic_threshold: None,
            override_host_status: None,
            overprovisioning_factor: None,
            members: None,
            locality_lb: None,
            slow_start: None,
            hash_balance_factor: None,
            hash_policy: None,
            drop_overload: None,
            subset: None,
            subset_selectors: Vec::new(),
            unknown_hosts: None,
            undecided: None,
            #[cfg(feature = "yaml")]
            policy_module: None,
            load_aware: None,
            circuit_breakers: CircuitBreakers::default(),
            localities: Vec::new(),
            priorities: Vec::new(),
            #[cfg(feature = "health")]
            health: None,
            #[cfg(feature = "yaml")]
            facts: None,
        }
    }

    /// Whether the cluster has the policy of the dynamic module in this file.
    pub(super) fn has_policy_of(&self, module: Option<&str>) -> bool {
        #[cfg(feature = "yaml")]
        return self.undecided.is_some() && self.policy_module.as_deref() == module;
        #[cfg(not(feature = "yaml"))]
        {
            let _ = module;
            false
        }
    }

    /// Sets the policy of the dynamic module in this file.
    pub(super) fn set_module(
        &mut self,
        undecided: Option<UndecidedRequests>,
        module: Option<&str>,
    ) {
        self.undecided = undecided;
        #[cfg(feature = "yaml")]
        {
            self.policy_module = module.map(String::from);
        }
        #[cfg(not(feature = "yaml"))]
        let _ = module;
    }

    /// With facts for lint.
    pub(super) fn with_facts(self, facts: ClusterFacts) -> Self {
        #[cfg(feature = "yaml")]
        return Self {
            facts: Some(Box::new(facts)),
            ..self
        };
        #[cfg(not(feature = "yaml"))]
        {
            drop(facts);
            self
        }
    }

    /// The facts, to add to them; `None` unless lint reads the input.
    pub(super) fn facts(&mut self) -> Option<&mut ClusterFacts> {
        #[cfg(feature = "yaml")]
        return self.facts.as_deref_mut();
        #[cfg(not(feature = "yaml"))]
        None
    }

    /// Takes the facts out.
    pub(super) fn take_facts(&mut self) -> Option<ClusterFacts> {
        #[cfg(feature = "yaml")]
        return self.facts.take().map(|facts| *facts);
        #[cfg(not(feature = "yaml"))]
        None
    }
}

/// Marks that do not come from a text. The filter does not need them.
#[cfg(feature = "yaml")]
impl Marks {
    /// The positions of these clusters, each with its name.
    #[must_use]
    pub fn of(clusters: impl IntoIterator<Item = (String, ClusterMarks)>) -> Self {
        let mut marks = Self::default();
        for (name, cluster) in clusters {
            marks.insert(&name, cluster);
        }
        marks
    }
}

#[cfg(feature = "yaml")]
impl ClusterMarks {
    /// The position of a cluster, without those of its values.
    #[must_use]
    pub fn at(cluster: Position) -> Self {
        Self::new(cluster)
    }
}

/// The positions of one route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteMarks {
    /// The route.
    pub route: Position,
    /// Its `hash_policy`.
    pub hash_policy: Option<Position>,
    /// Its `metadata_match`.
    pub metadata_match: Option<Position>,
    /// Its `weighted_clusters`.
    pub weighted_clusters: Option<Position>,
    /// Its own `retry_policy`.
    pub retry_policy: Option<Position>,
    /// Its session settings: the filter, or the override of its config.
    pub session: Option<Position>,
    /// Whether its requests have the routing priority `HIGH` (`RouteAction.priority`).
    pub is_high_priority: bool,
    /// How often a TCP proxy connects (`max_connect_attempts`, default 1).
    pub connect_attempts: u32,
    /// The time of its retries.
    pub retry_time: RetryTime,
    /// The JSON text of what its `redirect` or `direct_response` has apart from the status: the target, or the body.
    /// Routes with the same text give the same answer. The filter never reads it.
    #[cfg(feature = "yaml")]
    pub answer: Option<String>,
}

impl RouteMarks {
    pub(super) const fn new(route: Position) -> Self {
        Self {
            route,
            hash_policy: None,
            metadata_match: None,
            weighted_clusters: None,
            retry_policy: None,
            session: None,
            is_high_priority: false,
            connect_attempts: 1,
            retry_time: RetryTime {
                waits: Duration::ZERO,
                back_off: RetryBackOff::DEFAULT,
                limit: None,
                timeout: None,
                per_try_timeout: None,
            },
            #[cfg(feature = "yaml")]
            answer: None,
        }
    }
}
