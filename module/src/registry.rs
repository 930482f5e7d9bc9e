//! The clusters that our load-balancing policy balances, and the configurations that use them.
//!
//! Clusters and configurations come and go in any order. A new configuration gets the hosts of all known
//! clusters, and a change of a cluster goes to all configurations.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use spillgate_core::model::Priority;

use crate::{draining::Draining, hosts, settings::FilterState};

static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    clusters: BTreeMap::new(),
    filters: Vec::new(),
});

struct Registry {
    clusters: BTreeMap<String, PublishedCluster>,
    filters: Vec<Weak<FilterState>>,
}

/// The last published hosts of a cluster.
struct PublishedCluster {
    hosts: Arc<[Priority]>,
    draining: Draining,
}

/// Adds a configuration: it gets the hosts of all known clusters, and every later change.
pub(crate) fn add_filter(filter: &Arc<FilterState>) {
    let mut registry = registry();
    for (name, published) in &registry.clusters {
        filter.board.publish(name, Some(&published.hosts));
    }
    registry.filters.retain(|known| known.strong_count() > 0);
    registry.filters.push(Arc::downgrade(filter));
}

/// Publishes the hosts of a cluster, of which Envoy excludes this number, if it is known.
pub(crate) fn publish(cluster: &str, mut hosts: Vec<Priority>, excluded: Option<usize>) {
    let mut registry = registry();
    let before = registry.clusters.remove(cluster);
    let mut draining = before.map_or_else(Draining::default, |before| before.draining);
    if let Some(excluded) = excluded {
        hosts::mark_draining(&mut hosts, &mut draining, excluded);
    }
    for filter in registry.filters.iter().filter_map(Weak::upgrade) {
        filter.board.publish(cluster, Some(&hosts));
    }
    let hosts = hosts.into();
    let published = PublishedCluster { hosts, draining };
    registry.clusters.insert(cluster.to_owned(), published);
}

/// Withdraws the hosts of a cluster that Envoy has removed.
pub(crate) fn withdraw(cluster: &str) {
    let mut registry = registry();
    registry.clusters.remove(cluster);
    for filter in registry.filters.iter().filter_map(Weak::upgrade) {
        filter.board.publish(cluster, None);
    }
}

/// Envoy calls the hook for postponed publications after what its main thread does now. Each configuration
/// asks for it, because Envoy drops the calls of a configuration that it destroys.
pub(crate) fn schedule_postponed() {
    let registry = registry();
    for filter in registry.filters.iter().filter_map(Weak::upgrade) {
        filter.scheduler.schedule();
    }
}

/// The configurations that use a cluster, the newest one last.
pub(crate) fn filters_of(cluster: &str) -> Vec<Arc<FilterState>> {
    let registry = registry();
    let filters = registry.filters.iter().filter_map(Weak::upgrade);
    filters.filter(|filter| filter.uses(cluster)).collect()
}

/// The metadata keys of hosts that any configuration reads.
pub(crate) fn metadata_keys() -> Vec<Arc<str>> {
    let registry = registry();
    let filters = registry.filters.iter().filter_map(Weak::upgrade);
    let mut keys: Vec<Arc<str>> = filters.flat_map(|filter| filter.keys.clone()).collect();
    keys.sort();
    keys.dedup();
    keys
}

/// A panic under the lock leaves whole values behind, so they stay usable.
fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}
