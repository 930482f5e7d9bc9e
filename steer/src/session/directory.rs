//! Finds the host of an opaque id in a session token.

use alloc::vec::Vec;

use spillgate_core::{
    affinity::{HostId, KeyRing},
    snapshot::{ClusterId, HostRef, Snapshot},
};

/// The ids of all hosts under every token key: a token has the id of its host under the key that
/// sealed it. Rebuilt when hosts are added or removed, not for a change of health.
#[derive(Default)]
pub(crate) struct HostDirectory {
    /// By the position of the key in the ring; sorted by id.
    by_key: Vec<Vec<(HostId, HostRef)>>,
    /// By cluster and priority: the hosts in the order of their ids under the first key.
    orders: Vec<Vec<Vec<u32>>>,
}

impl HostDirectory {
    /// The ids of a snapshot's hosts.
    pub(crate) fn new(snapshot: &Snapshot, keys: &KeyRing) -> Self {
        let by_key = keys.keys().map(|key| {
            let mut ids: Vec<(HostId, HostRef)> = Vec::new();
            for (cluster, named) in snapshot.clusters() {
                let priorities = snapshot
                    .plain(cluster)
                    .map_or(&[][..], |plain| &plain.priorities);
                for (number, priority) in priorities.iter().enumerate() {
                    let endpoints = priority.configured.endpoints.iter().enumerate();
                    ids.extend(endpoints.map(|(host, endpoint)| {
                        let place = HostRef {
                            cluster,
                            priority: number,
                            host,
                        };
                        (key.host_id(&named.name, &endpoint.address), place)
                    }));
                }
            }
            // If a cluster has an address twice, the first host counts.
            ids.sort();
            ids.dedup_by_key(|(id, _)| *id);
            ids
        });
        let by_key: Vec<Vec<(HostId, HostRef)>> = by_key.collect();
        let empty = |(cluster, _)| {
            let plain = snapshot.plain(cluster);
            alloc::vec![Vec::new(); plain.map_or(0, |plain| plain.priorities.len())]
        };
        let mut orders: Vec<Vec<Vec<u32>>> = snapshot.clusters().map(empty).collect();
        for (_, host) in by_key.first().into_iter().flatten() {
            let priorities = orders.get_mut(host.cluster.index());
            if let Some(order) = priorities.and_then(|found| found.get_mut(host.priority)) {
                order.extend(u32::try_from(host.host));
            }
        }
        Self { by_key, orders }
    }

    /// The hosts of a priority in an order that all gateways with the same first key share,
    /// whatever the order in which they learned of the hosts.
    pub(crate) fn order(&self, cluster: ClusterId, priority: usize) -> &[u32] {
        let priorities = self.orders.get(cluster.index());
        let order = priorities.and_then(|priorities| priorities.get(priority));
        order.map_or(&[], |order| order)
    }

    /// The host of an id under the key at this position of the ring. The search takes the same time
    /// for all unknown ids.
    pub(crate) fn find(&self, key: usize, id: HostId) -> Option<HostRef> {
        let ids = self.by_key.get(key)?;
        let at = ids.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        ids.get(at).map(|(_, host)| *host)
    }
}
