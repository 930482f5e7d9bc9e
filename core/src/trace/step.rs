//! One step of a decision: its kind and its data.

use alloc::{string::String, vec::Vec};

use super::{
    ChainStepTried, ConfigRef, DrawnFraction, HostChoice, LocalityChoice, MemberChoice,
    OverrideTarget, PriorityChoice, SessionHostFound, SessionMove, WeightedChoice,
};
use crate::{
    model::Metadata,
    route::{PathMatch, SessionReading, SessionStateKind},
    snapshot::{ClusterId, HostRef},
    subset::{SetChoice, SubsetReason},
};

/// One step of a decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The result of the step with its figures.
    pub data: StepData,
    /// The part of the configuration that the step depends on most.
    pub config: ConfigRef,
}

/// The kind of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepKind {
    /// The route, and the cluster and hash of the request.
    Route,
    /// The subset criteria of the request.
    Criteria,
    /// The host that the request's session, or the request itself, names.
    Session,
    /// The subset, or the step of the subset fallback chain.
    Subset,
    /// The member of an aggregate, or the cluster of a weighted split.
    Cluster,
    /// The priority.
    Priority,
    /// The locality within the priority.
    Locality,
    /// The host.
    Host,
    /// A rejected choice: retry host predicates exclude the host.
    Retry,
}

impl StepKind {
    /// The name in traces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Route => "route",
            Self::Criteria => "criteria",
            Self::Session => "session",
            Self::Subset => "subset",
            Self::Cluster => "cluster",
            Self::Priority => "priority",
            Self::Locality => "locality",
            Self::Host => "host",
            Self::Retry => "retry",
        }
    }
}

/// What changes a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestChanger {
    /// The HTTP connection manager, before routing.
    ConnectionManager,
    /// The HTTP filters before the router, then the route with its parents.
    Route,
}

/// The result of a step with its figures. Loads and thresholds are whole percent.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum StepData {
    /// No route matches the request.
    NoRoute {
        /// The host name in the request.
        domain: String,
        /// The virtual host of that name; `None` if no virtual host has it.
        virtual_host: Option<String>,
    },
    /// A route matches the request.
    RouteMatched {
        /// The name of the virtual host.
        virtual_host: String,
        /// The name of the route; may be empty.
        route: String,
        /// The condition on the path.
        path: PathMatch,
        /// The number of further conditions.
        conditions: usize,
        /// The fraction of the route, if it has one.
        fraction: Option<DrawnFraction>,
    },
    /// The route depends on a field that the engine does not model.
    NotModeled {
        /// The field.
        field: &'static str,
    },
    /// A header that something reads changes before a host is chosen.
    HeaderChanged {
        /// The lower-case name.
        name: String,
        /// The values before, joined by commas; `None` if there were none.
        before: Option<String>,
        /// The values after, joined by commas; `None` if it is removed.
        after: Option<String>,
        /// What changes it.
        by: RequestChanger,
    },
    /// A request header names the cluster.
    HeaderCluster {
        /// The cluster.
        cluster: String,
        /// The lower-case header name.
        header: String,
    },
    /// The cluster specifier of the dynamic module names the cluster.
    SpecifiedCluster {
        /// The cluster.
        cluster: String,
    },
    /// Conditions on headers choose the cluster.
    MatchedCluster {
        /// The cluster; empty if none matches.
        cluster: String,
        /// The lower-case names of the headers, each once.
        headers: Vec<String>,
    },
    /// One of several weighted clusters.
    WeightedCluster(WeightedChoice),
    /// The request goes to a cluster.
    Routed {
        /// The cluster.
        cluster: ClusterId,
        /// The request hash, if a hash policy of the route makes one.
        hash: Option<u64>,
    },
    /// The subset criteria of the request.
    Criteria(Metadata),
    /// The hash policy in the load-balancing policy of the cluster replaces that of the route.
    ClusterHash {
        /// The hash, if the policy makes one.
        hash: Option<u64>,
    },
    /// The request is dropped (`drop_overloads`).
    Dropped {
        /// The dropped share of the requests, in millionths.
        millionths: u32,
    },
    /// A step of the subset fallback chain.
    ChainStep(ChainStepTried),
    /// A subset, or a fallback in its place.
    Subset {
        /// The criteria of the request.
        criteria: Metadata,
        /// The criteria that the fallback policy `KEYS_SUBSET` keeps, if it applies.
        kept: Option<Metadata>,
        /// The selected set of hosts.
        choice: SetChoice,
        /// Why that set.
        reason: SubsetReason,
        /// The number of its hosts.
        hosts: usize,
    },
    /// No subset matches the criteria, and no fallback applies.
    NoSubset {
        /// The criteria of the request.
        criteria: Metadata,
        /// The criteria that the fallback policy `KEYS_SUBSET` keeps, if it applies.
        kept: Option<Metadata>,
    },
    /// The member of an aggregate cluster.
    Member(MemberChoice),
    /// A composite cluster asks a member for a host.
    CompositeMember {
        /// The member.
        member: ClusterId,
        /// The number of the attempt, from 0.
        attempt: usize,
    },
    /// The priority.
    Priority(PriorityChoice),
    /// The locality.
    Locality(LocalityChoice),
    /// The host.
    Host(HostChoice),
    /// Retry host predicates reject the chosen host.
    Rejected(HostRef),
    /// A session cookie or header names no host. The reading is never [`SessionReading::Host`].
    NoSession {
        /// The cookie or header.
        carrier: SessionStateKind,
        /// Why it names no host.
        reading: SessionReading,
    },
    /// A session cookie or header of Envoy names a host.
    SessionHost(SessionHostFound),
    /// The session affinity of the filter names a host.
    Affinity {
        /// The host of the session; `None` if it no longer exists.
        host: Option<HostRef>,
        /// Why the session cannot stay; `None` if it does.
        moved: Option<SessionMove>,
    },
    /// Addresses in a header or in metadata name hosts.
    OverrideHosts {
        /// The addresses, in order.
        addresses: Vec<String>,
        /// The first of them that the cluster has.
        host: Option<HostRef>,
    },
    /// The named host serves the request.
    OverrideHost(OverrideTarget),
}

impl Step {
    /// The kind of the step.
    #[must_use]
    pub const fn kind(&self) -> StepKind {
        match &self.data {
            StepData::NoRoute { .. }
            | StepData::RouteMatched { .. }
            | StepData::NotModeled { .. }
            | StepData::HeaderChanged { .. }
            | StepData::Routed { .. } => StepKind::Route,
            StepData::Criteria(_) => StepKind::Criteria,
            StepData::NoSession { .. }
            | StepData::SessionHost(_)
            | StepData::Affinity { .. }
            | StepData::OverrideHosts { .. } => StepKind::Session,
            StepData::ChainStep(_) | StepData::Subset { .. } | StepData::NoSubset { .. } => {
                StepKind::Subset
            }
            StepData::HeaderCluster { .. }
            | StepData::SpecifiedCluster { .. }
            | StepData::MatchedCluster { .. }
            | StepData::WeightedCluster(_)
            | StepData::ClusterHash { .. }
            | StepData::Dropped { .. }
            | StepData::Member(_)
            | StepData::CompositeMember { .. } => StepKind::Cluster,
            StepData::Priority(_) => StepKind::Priority,
            StepData::Locality(_) => StepKind::Locality,
            StepData::Host(_) | StepData::OverrideHost(_) => StepKind::Host,
            StepData::Rejected(_) => StepKind::Retry,
        }
    }
}
