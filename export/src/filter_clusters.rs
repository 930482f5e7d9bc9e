//! Envoy's clusters for the exported filter.

use std::collections::BTreeSet;

use spillgate_config::{
    Diagnostic,
    isolation::{ListFallback, steered_cluster},
    write::{Written, envoy_yaml},
};
use spillgate_core::model::{Cluster, ClusterKind, Model};

use super::target::named_target;

/// The clusters with hosts that the target leads to, as an Envoy bootstrap: each uses the host list
/// of the filter.
///
/// # Errors
/// If the target is ambiguous, unknown or without such clusters, and every setting that YAML cannot
/// express.
pub fn filter_clusters(
    model: &Model,
    target: Option<&str>,
    fallback: ListFallback,
) -> Result<Written, Vec<Diagnostic>> {
    let target = named_target(model, target).map_err(|fault| vec![*fault])?;
    let mut owners = BTreeSet::new();
    add_owners(model, &target, &mut owners);
    let clusters = model.clusters().iter().filter_map(|cluster| {
        let ClusterKind::Plain(own) = &cluster.kind else {
            return None;
        };
        let steered = steered_cluster(own, fallback);
        owners
            .contains(cluster.name.as_str())
            .then(|| Cluster::plain(cluster.name.clone(), steered))
    });
    let clusters: Vec<Cluster> = clusters.collect();
    if clusters.is_empty() {
        let fault = Diagnostic::error("export/target", "target has no clusters with hosts");
        return Err(vec![fault.found(target)]);
    }
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

/// Adds the clusters with hosts that a cluster leads to.
fn add_owners<'m>(model: &'m Model, name: &str, owners: &mut BTreeSet<&'m str>) {
    let Some(cluster) = model.cluster(name) else {
        return;
    };
    match &cluster.kind {
        ClusterKind::Aggregate(aggregate) => {
            for member in &aggregate.members {
                // An aggregate inside an aggregate has no hosts in Envoy.
                let nested = model
                    .cluster(member)
                    .is_some_and(|one| matches!(one.kind, ClusterKind::Aggregate(_)));
                if !nested {
                    add_owners(model, member, owners);
                }
            }
        }
        ClusterKind::Plain(_) | ClusterKind::OriginalDst(_) => {
            owners.insert(&cluster.name);
        }
    }
}

/// Names the choice in the output.
const fn comment(fallback: ListFallback) -> &'static str {
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
