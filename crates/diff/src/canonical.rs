//! A cluster without the order of its hosts, and without metadata and statuses that nothing reads.

use spillgate_core::model::{
    Endpoint, Locality, Metadata, PlainCluster, Priority, PriorityLocality,
};

use crate::host_sets::{HostMetadata, are_alike, without_healthy};

/// The same cluster with sorted localities and hosts, and without metadata and statuses that nothing reads. Two clusters
/// with the same canonical form give every host the same weight, health, priority and locality.
pub(crate) fn canonical(plain: &PlainCluster, metadata: HostMetadata) -> PlainCluster {
    let mut plain = plain.clone();
    if metadata == HostMetadata::Ignored && plain.subsets.is_none() {
        let priorities = plain.priorities.iter_mut();
        for endpoint in priorities.flat_map(|priority| &mut priority.endpoints) {
            endpoint.metadata = Metadata::EMPTY;
        }
    }
    // Whatever reads metadata can read statuses, too.
    if metadata == HostMetadata::Ignored && are_alike(plain.override_statuses) {
        let priorities = plain.priorities.iter_mut();
        for endpoint in priorities.flat_map(|priority| &mut priority.endpoints) {
            endpoint.health = without_healthy(endpoint.health);
        }
    }
    // Its times belong to hosts by their place.
    if plain.healthy_for.is_empty() {
        plain.priorities = plain.priorities.iter().map(sorted).collect();
    }
    plain
}

/// The priority with sorted localities, and its hosts sorted by address.
fn sorted(priority: &Priority) -> Priority {
    let mut order: Vec<usize> = (0..priority.localities.len()).collect();
    let name = |at: &usize| -> Option<(&Locality, Option<u32>)> {
        let found: &PriorityLocality = priority.localities.get(*at)?;
        Some((&found.locality, found.weight))
    };
    order.sort_by(|a, b| name(a).cmp(&name(b)));
    let mut endpoints: Vec<Endpoint> = priority.endpoints.clone();
    for endpoint in &mut endpoints {
        let place = order.iter().position(|at| *at == endpoint.locality);
        endpoint.locality = place.unwrap_or(endpoint.locality);
    }
    endpoints.sort_by_cached_key(host_key);
    let localities = order
        .iter()
        .filter_map(|at| priority.localities.get(*at).cloned());
    Priority {
        localities: localities.collect(),
        endpoints,
    }
}

/// What the order of hosts depends on: everything that distinguishes them.
fn host_key(endpoint: &Endpoint) -> (String, usize, u32, String) {
    let mut rest = Vec::new();
    endpoint.metadata.canonical(&mut rest);
    (
        endpoint.address.clone(),
        endpoint.locality,
        endpoint.weight.get(),
        format!(
            "{:?} {:?} {:?} {rest:?}",
            endpoint.health, endpoint.hash_key, endpoint.reported_weight
        ),
    )
}
