//! The data that route actions refer to: cluster names and the filters before them.

use spillgate_core::names::Names;

use crate::{
    DiagnosticSeverity,
    envoy::filters::{FilterChain, Overrides},
    proto::{Message, Report, nearest},
};

/// The clusters of an input.
#[derive(Debug, Default)]
pub(crate) struct KnownClusters {
    /// The names that routes may refer to.
    pub(crate) names: Names,
    /// The clusters of a dump that were skipped because of faults.
    pub(crate) skipped: Names,
    /// The request headers that the clusters read.
    pub(crate) headers: Names,
}

/// The clusters that routes may refer to; `None` if the input has no clusters.
pub(crate) type ClusterNames<'c> = Option<&'c KnownClusters>;

/// The data that actions refer to.
pub(crate) struct ActionContext<'c> {
    pub(crate) clusters: ClusterNames<'c>,
    /// The severity of an unknown name (`validate_clusters`).
    pub(super) unknown_cluster: DiagnosticSeverity,
    pub(crate) filters: &'c FilterChain,
    /// The filter overrides of the route and its parents, the most specific one first.
    pub(crate) priorities: &'c [&'c Overrides],
}

/// Reports an unknown cluster name. Envoy sends requests to such a cluster the status of
/// `cluster_not_found_response_code`; those to a skipped cluster have an unknown result.
pub(super) fn check_cluster(
    message: &Message<'_, '_>,
    field: &'static str,
    name: &str,
    context: &ActionContext<'_>,
    report: &mut Report,
) {
    let severity = context.unknown_cluster;
    check_name(message, field, name, (context.clusters, severity), report);
}

/// Warns about an unknown cluster name that Envoy looks up at a request only.
pub(super) fn check_requested(
    message: &Message<'_, '_>,
    field: &'static str,
    name: &str,
    context: &ActionContext<'_>,
    report: &mut Report,
) {
    let known = (context.clusters, DiagnosticSeverity::Warning);
    check_name(message, field, name, known, report);
}

/// Warns about an unknown cluster name of a network filter: Envoy closes the connections.
pub(crate) fn check_named(
    message: &Message<'_, '_>,
    field: &'static str,
    name: &str,
    clusters: ClusterNames<'_>,
    report: &mut Report,
) {
    let known = (clusters, DiagnosticSeverity::Warning);
    check_name(message, field, name, known, report);
}

/// Reports an unknown name with this severity.
fn check_name(
    message: &Message<'_, '_>,
    field: &'static str,
    name: &str,
    (clusters, severity): (ClusterNames<'_>, DiagnosticSeverity),
    report: &mut Report,
) {
    let Some(clusters) = clusters else {
        return;
    };
    if clusters.names.contains(name) {
        return;
    }
    if clusters.skipped.contains(name) {
        let what = "cluster was skipped; requests to it have an unknown result";
        report.push(message.error(field, "config/unknown-cluster", what));
        return;
    }
    let mut diagnostic = message
        .error(field, "config/unknown-cluster", "unknown cluster")
        .suggest(nearest(name, clusters.names.iter()));
    diagnostic.severity = severity;
    report.tolerate(diagnostic);
}
