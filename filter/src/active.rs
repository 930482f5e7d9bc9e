//! Requests in flight, for policies that look at them: least request, bounded load.

use spillgate_core::decide::HostStats;
use spillgate_core::model::Policy;
use spillgate_core::snapshot::{ClusterId, HostRef, PlainSnapshot, Snapshot};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A count that requests hold on to until they end.
type Count = Rc<Cell<u32>>;

/// The counts of all hosts whose cluster's policy looks at them.
#[derive(Default)]
pub(crate) struct Active {
    /// By the number of the cluster.
    clusters: Vec<ClusterActive>,
    /// Whether the admin's counts stand in for those of this worker.
    reported: bool,
}

#[derive(Default)]
struct ClusterActive {
    /// By level and host; none where the policy does not look.
    levels: Vec<Vec<Count>>,
    all: Count,
}

/// One request in flight. It counts as long as this lives, however the request ends.
pub(crate) struct InFlight {
    host: Count,
    cluster: Count,
}

impl Active {
    /// Nothing in flight. With `reported`, only the admin's counts count.
    pub(crate) fn new(snapshot: &Snapshot, reported: bool) -> Self {
        Self::default().carried_over(&Snapshot::default(), snapshot, reported)
    }

    /// The counts for a new snapshot: hosts that stay, by cluster and address, keep theirs.
    pub(crate) fn carried_over(mut self, old: &Snapshot, new: &Snapshot, reported: bool) -> Self {
        let clusters = new.clusters().map(|(id, cluster)| {
            let Some(plain) = new.plain(id).filter(|plain| looks(plain)) else {
                return ClusterActive::default();
            };
            let old_id = old.cluster_id(&cluster.name);
            let before = old_id.and_then(|id| self.clusters.get_mut(id.index()));
            let before = before.map(std::mem::take).unwrap_or_default();
            let old_plain = old_id.and_then(|id| old.plain(id));
            before.carried_over(old_plain, plain)
        });
        Self {
            clusters: clusters.collect(),
            reported,
        }
    }

    /// The same after hosts came or went.
    pub(crate) fn regrouped(self, old: &Snapshot, new: &Snapshot) -> Self {
        let reported = self.reported;
        self.carried_over(old, new, reported)
    }

    /// Counts a request to a host, where anybody looks.
    pub(crate) fn begin(&self, host: HostRef) -> Option<InFlight> {
        if self.reported {
            return None;
        }
        let cluster = self.clusters.get(host.cluster.index())?;
        let count = cluster.levels.get(host.priority)?.get(host.host)?;
        Some(InFlight::new(count.clone(), cluster.all.clone()))
    }

    /// Takes the admin's counts of a cluster, by level and host.
    pub(crate) fn report(&mut self, cluster: ClusterId, counts: &[Vec<u32>]) {
        let Some(cluster) = self.clusters.get(cluster.index()) else {
            return;
        };
        for (level, counts) in cluster.levels.iter().zip(counts) {
            for (count, &reported) in level.iter().zip(counts) {
                count.set(reported);
            }
        }
        let counts = cluster.levels.iter().flatten();
        let all = counts.fold(0_u32, |all, count| all.saturating_add(count.get()));
        cluster.all.set(all);
    }
}

impl ClusterActive {
    fn carried_over(self, old: Option<&PlainSnapshot>, new: &PlainSnapshot) -> Self {
        let mut kept: BTreeMap<&str, Count> = BTreeMap::new();
        for (priority, counts) in self.levels.into_iter().enumerate() {
            for (host, count) in counts.into_iter().enumerate() {
                if let Some(endpoint) = old.and_then(|old| old.endpoint(priority, host)) {
                    kept.insert(&endpoint.address, count);
                }
            }
        }
        let levels = new.levels.iter().map(|level| {
            let endpoints = level.level.endpoints.iter();
            endpoints
                .map(|endpoint| kept.remove(endpoint.address.as_str()).unwrap_or_default())
                .collect()
        });
        Self {
            levels: levels.collect(),
            all: self.all,
        }
    }
}

impl HostStats for Active {
    fn active(&self, host: HostRef) -> u32 {
        let cluster = self.clusters.get(host.cluster.index());
        let count = cluster.and_then(|c| c.levels.get(host.priority)?.get(host.host));
        count.map_or(0, |count| count.get())
    }

    fn cluster_active(&self, cluster: ClusterId) -> u32 {
        let cluster = self.clusters.get(cluster.index());
        cluster.map_or(0, |cluster| cluster.all.get())
    }
}

impl InFlight {
    fn new(host: Count, cluster: Count) -> Self {
        host.set(host.get().saturating_add(1));
        cluster.set(cluster.get().saturating_add(1));
        Self { host, cluster }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.host.set(self.host.get().saturating_sub(1));
        self.cluster.set(self.cluster.get().saturating_sub(1));
    }
}

/// Whether the cluster's policy looks at requests in flight.
fn looks(plain: &PlainSnapshot) -> bool {
    let settings = &plain.settings;
    matches!(settings.policy, Policy::LeastRequest(_)) || settings.hash_balance_factor.is_some()
}
