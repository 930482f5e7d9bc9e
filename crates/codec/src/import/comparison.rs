//! Two imported configurations, and how their routes differ.

use alloc::{string::String, vec::Vec};

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
    not_compared
});
fields!(ComparedRoute {
    heading,
    changes,
    rows,
    example
});
