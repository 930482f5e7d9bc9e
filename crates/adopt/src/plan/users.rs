//! Other users of the clusters that the filter balances.

use std::collections::BTreeSet;

use serde_json::Value;
use spillgate_config::isolation::ListFallback;

use super::{
    cluster::{Clusters, has_subsets, hashes},
    files::Files,
    options::AdoptForm,
    place::Place,
    route::SteeredRoute,
};
use crate::edit::EditStep;

/// What another user of a cluster would lose.
#[derive(Debug, Clone, Copy)]
pub(super) enum UserLoss {
    /// All hosts: they only serve requests with a host list.
    Hosts {
        /// Whether availability would not take its subsets, either.
        has_subsets: bool,
    },
    /// The subsets: the fallback policy has none.
    Subsets,
    /// Its hash: the module's policy hashes by the filter's configuration.
    Hash,
}

impl UserLoss {
    /// The loss of a user of an owner; `hash`: the form, and the hash policy of the filter.
    pub(super) fn of(
        files: Files<'_>,
        (user, owner): (&Place<'_>, &Place<'_>),
        fallback: ListFallback,
        (form, hash_policy): (&AdoptForm, &Value),
    ) -> Option<Self> {
        let has_subsets = has_subsets(owner);
        if fallback == ListFallback::Isolation {
            return Some(Self::Hosts { has_subsets });
        }
        if has_subsets {
            return Some(Self::Subsets);
        }
        let in_module = matches!(form, AdoptForm::Module(_));
        let own = || surrounding(files, user)?.field("hash_policy");
        let differs =
            in_module && hashes(owner) && own().is_some_and(|own| own.value != hash_policy);
        differs.then_some(Self::Hash)
    }

    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Hosts { .. } => {
                "this uses a cluster whose hosts only serve requests that the filter steers; give it a cluster of its own"
            }
            Self::Subsets => {
                "this uses a cluster whose subsets become those of the filter; give it a cluster of its own"
            }
            Self::Hash => {
                "this uses a cluster that then hashes by the hash_policy of the filter only; give it a cluster of its own"
            }
        }
    }

    pub(super) const fn remedy(self) -> &'static str {
        match self {
            Self::Hosts { has_subsets: false } => {
                "another cluster here, or --fallback availability"
            }
            Self::Hosts { has_subsets: true } | Self::Subsets => "another cluster here",
            Self::Hash => "another cluster here, or --form wasm",
        }
    }
}

/// The map with a value.
fn surrounding<'v>(files: Files<'v>, place: &Place<'_>) -> Option<Place<'v>> {
    let (_, path) = place.path.split_last()?;
    let root = files.roots().nth(place.file)?;
    let value = path.iter().try_fold(root.value, |value, step| match step {
        EditStep::Key(key) => value.get(key),
        EditStep::Item(index) => value.get(index),
    })?;
    Some(Place {
        value,
        path: path.to_vec(),
        ..root
    })
}

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
