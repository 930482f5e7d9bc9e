//! The data that route actions refer to: cluster names and the filters before them.

use spillgate_core::names::Names;

use crate::{
    DiagnosticSeverity,
    envoy::filters::{FilterChain, Overrides},
    proto::{Message, Report, nearest},
};

/// The names that routes may refer to; `None` if the input has no clusters.
pub(crate) type ClusterNames<'c> = Option<&'c Names>;

/// The data that actions refer to.
pub(crate) struct ActionContext<'c> {
    pub(crate) clusters: ClusterNames<'c>,
    /// The severity of an unknown name (`validate_clusters`).
    pub(super) unknown_cluster: DiagnosticSeverity,
    pub(crate) filters: &'c FilterChain,
    /// The filter overrides of the route and its parents, the most specific one first.
    pub(crate) priorities: &'c [&'c Overrides],
}

/// Reports an unknown cluster name.
pub(super) fn check_cluster(
    message: &Message<'_, '_>,
    field: &'static str,
    name: &str,
    context: &ActionContext<'_>,
    report: &mut Report,
) {
    let Some(clusters) = context.clusters.filter(|names| !names.contains(name)) else {
        return;
    };
    let what = "unknown cluster";
    let mut diagnostic = message
        .error(field, "config/unknown-cluster", what)
        .suggest(nearest(name, clusters.iter()));
    diagnostic.severity = context.unknown_cluster;
    report.push(diagnostic);
}
