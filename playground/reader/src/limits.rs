//! The limits of the playground on clusters: an import beyond them is refused, or warns.

use alloc::{format, string::ToString as _, sync::Arc, vec::Vec};

use spillgate_codec::link::{ClusterLimits, MAXIMUM_TABLE_ENTRIES, ScenarioError, fits};
use spillgate_config::Diagnostic;
use spillgate_core::model::Cluster;

/// The code of warnings about clusters whose hash tables are too large.
const TABLES: &str = "page/hash-tables";

/// The error of clusters with too many hosts.
pub(crate) fn too_many_hosts(clusters: &[Arc<Cluster>]) -> Option<Diagnostic> {
    let fits = fits(clusters);
    let error = fits
        .err()
        .filter(|error| matches!(error, ScenarioError::TooManyHosts(_)));
    error.map(|error| Diagnostic::error("page/unreadable", error.to_string()))
}

/// A warning for each cluster that the playground cannot show because of its hash tables, with its index, and one for all
/// clusters that do not fit together.
pub(crate) fn too_large_tables(clusters: &[Arc<Cluster>]) -> Vec<(Option<usize>, Diagnostic)> {
    let Err(ScenarioError::TablesTooLarge(all)) = fits(clusters) else {
        return Vec::new();
    };
    let limits = ClusterLimits::new(clusters);
    let mut warnings = Vec::new();
    for at in 0..clusters.len() {
        if let Err(error @ ScenarioError::TablesTooLarge(_)) = limits.check(at) {
            let message = format!("the playground cannot show this cluster: {error}");
            warnings.push((Some(at), Diagnostic::warning(TABLES, message)));
        }
    }
    let left_out = clusters.len() - limits.together(None).len() - warnings.len();
    if left_out > 0 {
        let message = format!(
            "the hash tables of all clusters need {all} entries, and the playground supports at most \
             {MAXIMUM_TABLE_ENTRIES}: it shows the chosen cluster with as many others as fit; clusters without a \
             state and without findings: {left_out}"
        );
        warnings.push((None, Diagnostic::warning(TABLES, message)));
    }
    warnings
}
