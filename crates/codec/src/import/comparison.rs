//! Two imported configurations, and how their routes differ.

use alloc::{string::String, vec::Vec};

use spillgate_core::model::Metadata;

use super::fields::{bytes, fields};

/// How the routes and the other settings of two configurations differ; the clusters are compared where they are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ComparisonAnswer {
    /// Why the configurations cannot be compared: Envoy rejects one. The rest is empty then.
    pub rejected: Option<String>,
    /// The requests that take another route, those with the most 5xx answers of Envoy first.
    pub routes: Vec<ComparedRoute>,
    /// The number of listeners whose routes are proved to be equal.
    pub equal_listeners: usize,
    /// The settings that are not modeled or not read, that differ, and that can change routes or hosts.
    pub limits: Vec<String>,
    /// The settings that choose no host and differ.
    pub not_compared: Vec<String>,
    /// The requests of the old side.
    pub old_requests: SideRequests,
    /// The requests of the new side.
    pub new_requests: SideRequests,
}

/// The requests that the routes of a side send to its clusters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SideRequests {
    /// By cluster that a route names.
    pub clusters: Vec<NamedRequests>,
    /// Whether anything apart from subsets reads the metadata of hosts.
    pub read_metadata: bool,
}

/// The requests that routes send to a cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedRequests {
    /// The name of the cluster.
    pub cluster: String,
    /// Their subset criteria.
    pub criteria: Vec<Metadata>,
    /// Whether they can have a session that stays at a host.
    pub has_sessions: bool,
    /// Whether some of them can have a hash of their own.
    pub has_hashes: bool,
}

/// A difference of routes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ComparedRoute {
    /// Its condition, and both outcomes.
    pub heading: String,
    /// Whether the outcome of a request differs; otherwise no example request shows a difference.
    pub changes: bool,
    /// What its requests experience.
    pub rows: Vec<(String, String)>,
    /// Headers of an example request; empty without one.
    pub example: Vec<(String, String)>,
}

bytes!(ComparisonAnswer);

fields!(ComparisonAnswer {
    rejected,
    routes,
    equal_listeners,
    limits,
    not_compared,
    old_requests,
    new_requests
});
fields!(SideRequests {
    clusters,
    read_metadata
});
fields!(NamedRequests {
    cluster,
    criteria,
    has_sessions,
    has_hashes
});
fields!(ComparedRoute {
    heading,
    changes,
    rows,
    example
});
