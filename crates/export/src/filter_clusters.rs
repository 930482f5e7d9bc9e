//! Envoy's clusters for the exported filter.

use spillgate_config::{
    Diagnostic,
    isolation::{ListFallback, steered_cluster},
    write::{Written, envoy_yaml},
};
use spillgate_core::model::{Cluster, ClusterKind, Model};

use super::{ExportSource, filter::filter_target, owners::owners};

/// The clusters with hosts that the target leads to, as an Envoy bootstrap: each uses the host list
/// of the filter.
///
/// # Errors
/// If the target is ambiguous, unknown, part of a split or without such clusters, and every setting that YAML cannot
/// express.
pub fn filter_clusters(
    source: &ExportSource<'_>,
    fallback: ListFallback,
) -> Result<Written, Vec<Diagnostic>> {
    let target = filter_target(source)?;
    let clusters = owners(source.model, &target)?
        .into_iter()
        .filter_map(|cluster| {
            let ClusterKind::Plain(own) = &cluster.kind else {
                return None;
            };
            let steered = steered_cluster(own, fallback);
            Some(Cluster::plain(cluster.name.clone(), steered))
        });
    let clusters: Vec<Cluster> = clusters.collect();
    let steered = Model::new(clusters).map_err(|faults| {
        let faults = faults.iter().map(ToString::to_string);
        faults
            .map(|fault| Diagnostic::error("export/target", fault))
            .collect::<Vec<_>>()
    })?;
    let written = envoy_yaml(&steered, &[])?;
    Ok(Written {
        text: format!("{}{}", comment(fallback), written.text),
        ..written
    })
}

/// Names the choice in the output.
pub(crate) const fn comment(fallback: ListFallback) -> &'static str {
    match fallback {
        ListFallback::Isolation => {
            "# Isolation: only hosts of the filter's list serve. If the list is used up or absent, the request\n\
             # gets 503. Requests that bypass the filter need another cluster.\n"
        }
        ListFallback::Availability => {
            "# Availability: if the filter's list is used up or absent, any host of the cluster serves.\n"
        }
    }
}
