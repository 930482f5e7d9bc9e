//! The clusters with hosts that a target leads to.

use std::collections::BTreeSet;

use spillgate_config::Diagnostic;
use spillgate_core::model::{Cluster, ClusterKind, Model};

/// The clusters with hosts that the target leads to, in the order of the model.
///
/// # Errors
/// If the target leads to no such cluster.
pub(crate) fn owners<'m>(
    model: &'m Model,
    target: &str,
) -> Result<Vec<&'m Cluster>, Vec<Diagnostic>> {
    let mut names = BTreeSet::new();
    add_owners(model, target, &mut names);
    let clusters = model.clusters().iter().map(|cluster| &**cluster);
    let clusters = clusters.filter(|cluster| {
        names.contains(cluster.name.as_str()) && matches!(cluster.kind, ClusterKind::Plain(_))
    });
    let clusters: Vec<&Cluster> = clusters.collect();
    if clusters.is_empty() {
        let fault = Diagnostic::error("export/target", "target has no clusters with hosts");
        return Err(vec![fault.found(target)]);
    }
    Ok(clusters)
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
        ClusterKind::Composite(composite) => {
            for member in &composite.members {
                add_owners(model, member, owners);
            }
        }
        ClusterKind::Plain(_) | ClusterKind::OriginalDst(_) => {
            owners.insert(&cluster.name);
        }
    }
}
