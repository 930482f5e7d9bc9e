//! `spillgate split`: the traffic share of each priority, locality and host.
//!
//! Shares are exact, in percent of the cluster's own requests, for a request without a session. Under a
//! hash policy they are the average over uniformly distributed hashes.

mod client;
mod csv;
mod json;
mod slow_start;

pub use client::{ClientNote, NoFigures};
pub use csv::to_csv;
pub use slow_start::{NewHost, SlowStartShares};

use spillgate_config::Diagnostic;
use spillgate_core::{
    model::{Metadata, Model},
    snapshot::Snapshot,
};
use spillgate_explain::report::{ClusterReport, CoveredAttempts};

use self::slow_start::slow_start;
use crate::{limits::Limits, names::unknown_cluster, unknown::UnknownClusters};

/// The reports of the clusters of a configuration.
#[derive(Debug, Clone)]
pub struct Split {
    /// The snapshot with the hosts of the reports.
    pub snapshot: Snapshot,
    /// The reports, in configuration order.
    pub clusters: Vec<ClusterReport>,
    /// The slow start of each of them, if it has one.
    pub slow_starts: Vec<Option<SlowStartShares>>,
    /// The settings that are not modeled and concern these clusters.
    pub limits: Limits,
    /// The clusters whose hosts are not known.
    pub unknown: UnknownClusters,
    /// For the rules of gRPC: a note for each of the reports.
    pub grpc: Option<Vec<ClientNote>>,
    /// For documents of Istio: the version whose rules apply.
    pub istio_version: Option<&'static str>,
}

impl Split {
    /// Adds the limits that concern its clusters.
    #[must_use]
    pub fn limited_by(mut self, limits: &Limits) -> Self {
        let clusters = self.clusters.iter().map(|report| &report.cluster);
        self.limits = limits.of_clusters(&self.snapshot, clusters);
        self
    }

    /// Adds the clusters whose hosts are not known.
    #[must_use]
    pub fn without_hosts_of(self, unknown: UnknownClusters) -> Self {
        Self { unknown, ..self }
    }

    /// Adds the version of Istio.
    #[must_use]
    pub fn of_istio(self, istio_version: Option<&'static str>) -> Self {
        Self {
            istio_version,
            ..self
        }
    }

    /// The cluster with unknown hosts, if the shares of a cluster are unknown.
    #[must_use]
    pub fn unknown_of(&self, report: &ClusterReport) -> Option<&str> {
        self.unknown
            .reached(&self.snapshot, report.cluster, CoveredAttempts::First)
    }

    /// The note about the cluster at a place; `None` for the rules of Envoy.
    fn note(&self, at: usize) -> Option<&ClientNote> {
        self.grpc.as_ref()?.get(at)
    }

    /// The reports with their notes.
    pub fn noted(&self) -> impl Iterator<Item = (&ClusterReport, Option<&ClientNote>)> {
        let clusters = self.clusters.iter().enumerate();
        clusters.map(|(at, report)| (report, self.note(at)))
    }

    /// The name of the policy of a cluster.
    #[must_use]
    pub fn policy_of(&self, report: &ClusterReport) -> &'static str {
        if self.grpc.is_none() && self.unknown.chooses_itself(&report.name) {
            "CLUSTER_PROVIDED"
        } else {
            report.policy
        }
    }

    /// The limits that concern one of its clusters.
    pub fn limits_of(&self, report: &ClusterReport) -> Limits {
        self.limits.of_clusters(&self.snapshot, [&report.cluster])
    }
}

/// The shares of every cluster, or of the named ones, for requests with these subset criteria.
///
/// # Errors
/// Every unknown name, with a suggestion.
pub fn split(
    model: &Model,
    names: &[String],
    criteria: &Metadata,
) -> Result<Split, Vec<Diagnostic>> {
    let faults: Vec<Diagnostic> = names
        .iter()
        .filter(|name| model.cluster(name).is_none())
        .map(|name| unknown_cluster("split/unknown-cluster", name, model))
        .collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(split_of(model, &Snapshot::build(model), names, criteria))
}

/// As [`split`], for a snapshot of the model in which hosts can have other health. Unknown names are
/// ignored.
#[must_use]
pub fn split_of(
    model: &Model,
    snapshot: &Snapshot,
    names: &[String],
    criteria: &Metadata,
) -> Split {
    let chosen = snapshot
        .clusters()
        .filter(|(_, cluster)| names.is_empty() || names.contains(&cluster.name));
    let report = |(id, _)| ClusterReport::of(model, snapshot, id, criteria);
    let clusters: Vec<ClusterReport> = chosen.filter_map(report).collect();
    let slow_start = |of: &ClusterReport| slow_start(model, &of.name, criteria);
    Split {
        slow_starts: clusters.iter().map(slow_start).collect(),
        clusters,
        snapshot: snapshot.clone(),
        limits: Limits::default(),
        unknown: UnknownClusters::default(),
        grpc: None,
        istio_version: None,
    }
}

/// The split as one JSON object, with a line break at its end.
#[must_use]
pub fn to_json(split: &Split) -> String {
    json_text(split)
}

/// An answer as one JSON value, with a line break at its end.
pub fn json_text(answer: &impl serde::Serialize) -> String {
    let mut json = serde_json::to_string_pretty(answer).unwrap_or_else(no_json);
    json.push('\n');
    json
}

/// The error as JSON, for an answer that has no JSON form. Strings and finite numbers have one.
pub(crate) fn no_json(error: serde_json::Error) -> String {
    serde_json::json!({ "error": error.to_string() }).to_string()
}

impl serde::Serialize for Split {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json::value(self).serialize(serializer)
    }
}
