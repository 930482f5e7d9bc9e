//! Resources that a control plane delivers and the input does not have.

use alloc::format;

use super::Roots;
use crate::{Diagnostic, proto::Report};

/// Warns if the input has no clusters, and a control plane delivers them.
pub(crate) fn note_missing_clusters(roots: &Roots<'_, '_>, report: &mut Report) {
    let given = !roots.clusters.is_empty()
        || !roots.assignments.is_empty()
        || roots.has_statuses()
        || report.is_dump();
    let Some((position, file)) = roots.local.cds.as_ref().filter(|_| !given) else {
        return;
    };
    Diagnostic::warning(
        "config/cds-clusters",
        "CDS provides the clusters; the input has none",
    )
    .at("dynamic_resources.cds_config", *position)
    .expected(match file {
        Some(file) => format!("the file {file} in the input, or --root"),
        None => "clusters in the input, or the output of /config_dump?include_eds".into(),
    })
    .push_to(report);
}
