//! Active requests, for policies that read them: least request, bounded load.
//!
//! A count that callbacks increase and decrease leaks with the first missing callback. Here the
//! context of a request owns a value that counts as long as it lives, so whatever ends the context
//! ends the count. It counts for the first host of the list, because Envoy does not report
//! immediately that a retry went to another.

use alloc::{boxed::Box, rc::Rc, vec::Vec};
use core::cell::Cell;

use spillgate_config::filter::ActiveRequests;
use spillgate_core::{
    model::Policy,
    order::sorted,
    snapshot::{ClusterId, HostRef, PlainSnapshot, Snapshot},
};

/// A count that active requests share.
type Count = Rc<Cell<u32>>;

/// A proxy that counts the active requests of its hosts itself, for all workers.
pub trait ActiveRequestCounts {
    /// The active requests of a host; `None` if the proxy does not know the host.
    fn of_host(&self, snapshot: &Snapshot, host: HostRef) -> Option<u32>;

    /// The active requests of all hosts of a cluster.
    fn of_cluster(&self, snapshot: &Snapshot, cluster: ClusterId) -> u32 {
        let hosts = snapshot.plain(cluster).into_iter().flat_map(|plain| {
            let priorities = plain.priorities.iter().enumerate();
            priorities.flat_map(move |(priority, hosts)| {
                (0..hosts.len()).map(move |host| HostRef {
                    cluster,
                    priority,
                    host,
                })
            })
        });
        let counts = hosts.filter_map(|host| self.of_host(snapshot, host));
        counts.fold(0, u32::saturating_add)
    }
}

/// The active requests of all hosts whose cluster's policy reads them.
#[derive(Default)]
pub(crate) struct Active {
    /// By cluster id.
    clusters: Vec<ClusterActive>,
    /// Whose active requests count.
    pub(crate) source: ActiveRequests,
    /// The counts of the proxy, if it has them. They apply instead of the source.
    pub(crate) proxy: Option<Box<dyn ActiveRequestCounts>>,
}

#[derive(Default)]
struct ClusterActive {
    /// By priority and host; empty if the policy does not read them.
    priorities: Vec<Vec<Count>>,
    total: Count,
}

/// One active request. It counts until this value is dropped, however the request ends.
pub(crate) struct ActiveRequest {
    host: Count,
    cluster: Count,
}

impl Active {
    /// No active requests.
    pub(crate) fn new(snapshot: &Snapshot, source: ActiveRequests) -> Self {
        let none = Self {
            clusters: Vec::new(),
            source,
            proxy: None,
        };
        none.carried_over(&Snapshot::empty(), snapshot)
    }

    /// The counts for a new snapshot: hosts that are in both, by cluster and address, keep their
    /// counts.
    pub(crate) fn carried_over(mut self, old: &Snapshot, new: &Snapshot) -> Self {
        let clusters = new.clusters().map(|(id, cluster)| {
            let Some(plain) = new.plain(id).filter(|plain| reads_active(plain)) else {
                return ClusterActive::default();
            };
            let old_id = old.cluster_id(&cluster.name);
            let before = old_id
                .and_then(|id| self.clusters.get_mut(id.index()))
                .map(core::mem::take)
                .unwrap_or_default();
            if old_id == Some(id) && !before.priorities.is_empty() && new.has_hosts_of(id, old) {
                return before;
            }
            let old_plain = old_id.and_then(|id| old.plain(id));
            before.carried_over(old_plain, plain)
        });
        Self {
            clusters: clusters.collect(),
            source: self.source,
            proxy: self.proxy,
        }
    }

    /// Counts a request to a host, if the policy of its cluster reads the counts of this worker.
    pub(crate) fn begin(&self, host: HostRef) -> Option<ActiveRequest> {
        // Counted elsewhere, for the whole Envoy.
        if self.source == ActiveRequests::Admin || self.proxy.is_some() {
            return None;
        }
        let cluster = self.clusters.get(host.cluster.index())?;
        let count = cluster.priorities.get(host.priority)?.get(host.host)?;
        Some(ActiveRequest::new(count.clone(), cluster.total.clone()))
    }

    /// Sets the counts of a cluster that the admin reports, by priority and host.
    pub(crate) fn set_reported(&mut self, cluster: ClusterId, counts: &[Vec<u32>]) {
        let Some(cluster) = self.clusters.get(cluster.index()) else {
            return;
        };
        for (priority, counts) in cluster.priorities.iter().zip(counts) {
            for (count, &reported) in priority.iter().zip(counts) {
                count.set(reported);
            }
        }
        let counts = cluster.priorities.iter().flatten();
        let total = counts.fold(0_u32, |total, count| total.saturating_add(count.get()));
        cluster.total.set(total);
    }
}

impl ClusterActive {
    fn carried_over(self, old: Option<&PlainSnapshot>, new: &PlainSnapshot) -> Self {
        let mut kept: Vec<(&str, Option<Count>)> = Vec::new();
        for (number, counts) in self.priorities.into_iter().enumerate() {
            for (host, count) in counts.into_iter().enumerate() {
                if let Some(endpoint) = old.and_then(|old| old.endpoint(number, host)) {
                    kept.push((endpoint.address.as_str(), Some(count)));
                }
            }
        }
        let mut kept = sorted(kept, |(a, _), (b, _)| a.cmp(b));
        let mut take = |address: &str| {
            let after = kept.partition_point(|(kept, _)| *kept <= address);
            let (kept, count) = kept.get_mut(after.checked_sub(1)?)?;
            count.take_if(|_| *kept == address)
        };
        let priorities = new.priorities.iter().map(|priority| {
            let endpoints = priority.configured.endpoints.iter();
            endpoints
                .map(|endpoint| take(&endpoint.address).unwrap_or_default())
                .collect()
        });
        Self {
            priorities: priorities.collect(),
            total: self.total,
        }
    }
}

impl Active {
    /// The active requests of a host of a snapshot.
    pub(crate) fn of_host(&self, snapshot: &Snapshot, host: HostRef) -> u32 {
        match &self.proxy {
            Some(proxy) => proxy.of_host(snapshot, host).unwrap_or(0),
            None => self.known(host),
        }
    }

    /// The active requests of all hosts of a cluster.
    pub(crate) fn of_cluster(&self, snapshot: &Snapshot, cluster: ClusterId) -> u32 {
        let Some(proxy) = &self.proxy else {
            let cluster = self.clusters.get(cluster.index());
            return cluster.map_or(0, |cluster| cluster.total.get());
        };
        proxy.of_cluster(snapshot, cluster)
    }

    fn known(&self, host: HostRef) -> u32 {
        let cluster = self.clusters.get(host.cluster.index());
        let count = cluster.and_then(|c| c.priorities.get(host.priority)?.get(host.host));
        count.map_or(0, |count| count.get())
    }
}

impl ActiveRequest {
    fn new(host: Count, cluster: Count) -> Self {
        host.set(host.get().saturating_add(1));
        cluster.set(cluster.get().saturating_add(1));
        Self { host, cluster }
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        // A report of the admin may have replaced the count in the meantime.
        self.host.set(self.host.get().saturating_sub(1));
        self.cluster.set(self.cluster.get().saturating_sub(1));
    }
}

/// Whether the cluster's policy reads active requests.
fn reads_active(plain: &PlainSnapshot) -> bool {
    let settings = &plain.settings;
    matches!(settings.policy, Policy::LeastRequest(_)) || settings.hash_balance_factor.is_some()
}
