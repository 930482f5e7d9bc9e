//! The load balancers of this thread: Envoy has one for each cluster on the main thread and on every
//! worker.
//!
//! A load balancer publishes nothing when it is created: it has no hosts yet. Envoy replaces a
//! cluster in one step of the main thread: it creates the new load balancer, destroys the old one,
//! then gives the new one its hosts, if there are any. While the old one is destroyed, the module
//! cannot tell whether hosts will follow. So it keeps the old hosts and schedules a call of the
//! main thread, which publishes what the cluster has after that step.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use spillgate_core::snapshot::{HostRef, Snapshot};
use spillgate_steer::hosts::ActiveRequestCounts;

use crate::abi::{BalancerHandle, HostPlace, KeptBalancer};

thread_local! {
    /// By the name of the cluster, in order of creation. While Envoy replaces a cluster, it has two.
    static BALANCERS: RefCell<BTreeMap<String, Vec<Numbered>>> = const { RefCell::new(BTreeMap::new()) };
    /// Replaced clusters whose new load balancer had no hosts yet. A scheduled hook publishes them, or any
    /// earlier one about a cluster.
    static POSTPONED: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

struct Numbered {
    number: u64,
    balancer: KeptBalancer,
}

/// Adds a load balancer of this thread.
pub(crate) fn add(number: u64, cluster: &str, balancer: KeptBalancer) {
    let balancer = Numbered { number, balancer };
    BALANCERS.with_borrow_mut(|all| {
        all.entry(cluster.to_owned()).or_default().push(balancer);
    });
}

/// Removes a load balancer that Envoy destroys.
pub(crate) fn remove(number: u64, cluster: &str) {
    BALANCERS.with_borrow_mut(|all| {
        if let Some(known) = all.get_mut(cluster) {
            known.retain(|known| known.number != number);
            if known.is_empty() {
                all.remove(cluster);
            }
        }
    });
}

/// Whether no older load balancer of the cluster exists.
pub(crate) fn is_oldest(number: u64, cluster: &str) -> bool {
    let oldest = |known: &Vec<Numbered>| Some(known.first()?.number);
    BALANCERS.with_borrow(|all| all.get(cluster).and_then(oldest) == Some(number))
}

/// Passes the oldest load balancer of a cluster to `read`. Returns whether there is one.
pub(crate) fn with_oldest(cluster: &str, read: impl FnOnce(&BalancerHandle<'_>)) -> bool {
    BALANCERS.with_borrow(|all| {
        let oldest = all.get(cluster).and_then(|known| known.first());
        oldest.map(|known| read(&known.balancer.handle())).is_some()
    })
}

/// Passes the oldest load balancer of each cluster to `read`.
pub(crate) fn for_each_cluster(read: impl Fn(&BalancerHandle<'_>)) {
    BALANCERS.with_borrow(|all| {
        for known in all.values().filter_map(|known| known.first()) {
            read(&known.balancer.handle());
        }
    });
}

/// Postpones a publication until [`publish_postponed`].
pub(crate) fn postpone(cluster: &str) {
    POSTPONED.with_borrow_mut(|all| all.insert(cluster.to_owned()));
}

/// Passes the load balancers with a postponed publication to `read`.
pub(crate) fn publish_postponed(read: impl Fn(&BalancerHandle<'_>)) {
    for cluster in POSTPONED.take() {
        with_oldest(&cluster, &read);
    }
}

/// Envoy's own counts of active requests, of all workers.
pub(crate) struct EnvoyCounts;

impl ActiveRequestCounts for EnvoyCounts {
    fn of_host(&self, snapshot: &Snapshot, host: HostRef) -> Option<u32> {
        let cluster = snapshot.cluster(host.cluster)?;
        let endpoint = snapshot
            .plain(host.cluster)?
            .endpoint(host.priority, host.host)?;
        let at = HostPlace {
            priority: u32::try_from(host.priority).ok()?,
            host: host.host,
        };
        BALANCERS.with_borrow(|all| {
            let oldest = all.get(cluster.name.as_str())?.first()?;
            let balancer = oldest.balancer.handle();
            let is_it = balancer.is_at(at, &endpoint.address);
            is_it.then(|| u32::try_from(balancer.active_requests(at)).unwrap_or(u32::MAX))
        })
    }
}
