//! What the actions of routes refer to: clusters by name, and the filters in front of them.

use spillgate_core::names::Names;

use crate::{
    DiagnosticSeverity,
    envoy::filters::{FilterChain, Overrides},
    proto::{Message, Report, nearest},
};

/// The names that routes may refer to; `None` when the text says nothing about clusters.
pub(crate) type ClusterNames<'c> = Option<&'c Names>;

/// What actions refer to.
pub(crate) struct ActionContext<'c> {
    pub(crate) clusters: ClusterNames<'c>,
    /// How bad an unknown name is (`validate_clusters`).
    pub(super) unknown_cluster: DiagnosticSeverity,
    pub(crate) filters: &'c FilterChain,
    /// What the route and what is around it change about them, the most specific first.
    pub(crate) priorities: &'c [&'c Overrides],
}

/// Reports a name that no cluster has.
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
    let what = "no cluster has this name";
    let mut diagnostic = message
        .error(field, "config/unknown-cluster", what)
        .suggest(nearest(name, clusters.iter()));
    diagnostic.severity = context.unknown_cluster;
    report.push(diagnostic);
}
