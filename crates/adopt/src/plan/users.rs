//! Other users of the clusters that the filter balances.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{cluster::Clusters, files::Files, place::Place, route::SteeredRoute};

/// Places outside of the steered routes that use an owner, which would get no hosts in an isolated cluster.
pub(super) fn other_users<'v>(
    files: Files<'v>,
    clusters: &Clusters<'v>,
    routes: &[SteeredRoute<'v>],
) -> Vec<(Place<'v>, String)> {
    let owners = clusters.owners.iter();
    let names: BTreeSet<&str> = owners.filter_map(|owner| owner.text("name")).collect();
    let mut own: Vec<Place<'v>> = clusters
        .owners
        .iter()
        .chain(&clusters.aggregates)
        .cloned()
        .collect();
    for action in routes.iter().filter_map(|route| route.route.field("route")) {
        // The rest of a route can mirror requests, which no list accompanies.
        own.extend(action.field("cluster"));
        own.extend(action.field("weighted_clusters"));
    }
    for root in files.roots() {
        // The cluster that this Envoy belongs to, and the assignments of hosts.
        own.extend(root.field("node"));
        own.extend(root.at(&["cluster_manager", "local_cluster_name"]));
        let assignments = root.items("resources").into_iter();
        own.extend(assignments.filter(|one| one.is_message("ClusterLoadAssignment")));
    }
    let mut found = Vec::new();
    let mut open: Vec<_> = files.roots().map(|root| (root, false)).collect();
    while let Some((place, names_cluster)) = open.pop() {
        if own
            .iter()
            .any(|own| own.file == place.file && own.path == place.path)
        {
            continue;
        }
        match place.value {
            Value::String(name) if names_cluster && names.contains(name.as_str()) => {
                found.push((place.clone(), name.clone()));
            }
            Value::Array(_) => {
                open.extend(
                    place
                        .children()
                        .into_iter()
                        .map(|(_, inner)| (inner, names_cluster)),
                );
            }
            _ => open.extend(place.children().into_iter().map(|(key, inner)| {
                let key = key.to_ascii_lowercase();
                (
                    inner,
                    key.contains("cluster") || (names_cluster && key == "name"),
                )
            })),
        }
    }
    found.sort_by_key(|(place, _)| files.position(place));
    found
}
