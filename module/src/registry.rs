//! The clusters that our load-balancing policy balances, and the configurations that use them.
//!
//! Clusters and configurations come and go in any order. A new configuration gets the hosts of all known
//! clusters, and a change of a cluster goes to all configurations.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, Weak},
};

use spillgate_core::model::Priority;

use crate::{cluster_hosts, draining::Draining, lock::locked, settings::FilterState};

/// By cluster. Held while configurations get hosts: it orders publications and new configurations.
static CLUSTERS: Mutex<BTreeMap<String, PublishedCluster>> = Mutex::new(BTreeMap::new());

/// The configurations, the newest one last. Requests take this lock, so nothing else happens under it; a
/// thread that has both takes [`CLUSTERS`] first.
static FILTERS: Mutex<Vec<Weak<FilterState>>> = Mutex::new(Vec::new());

/// The last published hosts of a cluster.
struct PublishedCluster {
    hosts: Arc<[Priority]>,
    draining: Draining,
}

/// Adds a configuration: it gets the hosts of all known clusters, and every later change.
pub(crate) fn add_filter(filter: &Arc<FilterState>) {
    let clusters = locked(&CLUSTERS);
    for (name, published) in &*clusters {
        filter.board.publish(name, Some(&published.hosts));
    }
    let mut filters = locked(&FILTERS);
    filters.retain(|known| known.strong_count() > 0);
    filters.push(Arc::downgrade(filter));
}

/// Publishes the hosts of a cluster, of which Envoy excludes this number, if it is known.
pub(crate) fn publish(cluster: &str, mut hosts: Vec<Priority>, excluded: Option<usize>) {
    let mut clusters = locked(&CLUSTERS);
    let before = clusters.remove(cluster);
    let mut draining = before.map_or_else(Draining::default, |before| before.draining);
    if let Some(excluded) = excluded {
        cluster_hosts::mark_draining(&mut hosts, &mut draining, excluded);
    }
    for filter in filters() {
        filter.board.publish(cluster, Some(&hosts));
    }
    let hosts = hosts.into();
    let published = PublishedCluster { hosts, draining };
    clusters.insert(cluster.to_owned(), published);
}

/// Withdraws the hosts of a cluster that Envoy has removed.
pub(crate) fn withdraw(cluster: &str) {
    let mut clusters = locked(&CLUSTERS);
    clusters.remove(cluster);
    for filter in filters() {
        filter.board.publish(cluster, None);
    }
}

/// Envoy calls the hook for postponed publications after what its main thread does now. Each configuration
/// asks for it, because Envoy drops the calls of a configuration that it destroys.
pub(crate) fn schedule_postponed() {
    for filter in filters() {
        filter.scheduler.schedule();
    }
}

/// The configurations that use a cluster, the newest one last. Does not wait for a publication.
pub(crate) fn filters_of(cluster: &str) -> Vec<Arc<FilterState>> {
    let mut filters = filters();
    filters.retain(|filter| filter.uses(cluster));
    filters
}

/// Whether any configuration exists.
pub(crate) fn has_filters() -> bool {
    let filters = locked(&FILTERS);
    filters.iter().any(|filter| filter.strong_count() > 0)
}

/// The metadata keys of hosts that any configuration reads.
pub(crate) fn metadata_keys() -> Vec<Arc<str>> {
    let filters = filters();
    let mut keys: Vec<Arc<str>> = filters
        .iter()
        .flat_map(|filter| filter.keys.clone())
        .collect();
    keys.sort();
    keys.dedup();
    keys
}

/// All configurations, the newest one last. The caller may be the last one that has them, and their end
/// calls Envoy, so the lock is free before that.
fn filters() -> Vec<Arc<FilterState>> {
    let filters = locked(&FILTERS);
    filters.iter().filter_map(Weak::upgrade).collect()
}
