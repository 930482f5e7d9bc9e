//! Finds the host of an opaque id in a session token.

use alloc::{rc::Rc, string::String, vec::Vec};

use spillgate_core::{
    affinity::{HostId, KeyRing, TokenClusterId, TokenKey},
    order::sorted,
    snapshot::{ClusterId, HostRef, PlainSnapshot, Snapshot},
};

/// The ids of all hosts under every token key: a token has the ids of its host and of the host's
/// cluster under the key that sealed it. When hosts are added or removed, only the clusters that
/// change are built again; a change of health keeps the directory.
#[derive(Default)]
pub(crate) struct HostDirectory {
    /// By cluster id.
    clusters: Vec<Rc<ClusterDirectory>>,
    /// The ids of the clusters in tokens: by the position of the key in the ring, then by cluster.
    by_key: Rc<[Vec<(TokenClusterId, ClusterId)>]>,
}

/// The ids of one cluster's hosts.
struct ClusterDirectory {
    name: String,
    /// The id of the cluster under the first key, which seals tokens.
    id: Option<TokenClusterId>,
    /// By the position of the key in the ring; sorted by id.
    by_key: Vec<Vec<(HostId, Place)>>,
    /// By priority: the hosts in the order of their ids under the first key.
    orders: Vec<Vec<u32>>,
}

/// A host by its priority and its index in the priority.
type Place = (usize, usize);

impl HostDirectory {
    /// The ids of a snapshot's hosts.
    pub(crate) fn new(snapshot: &Snapshot, keys: &KeyRing) -> Self {
        let by_key = keys.keys().map(|key| {
            let ids = snapshot.clusters();
            ids.map(|(cluster, named)| (key.cluster_id(&named.name), cluster))
                .collect()
        });
        let empty = Self {
            by_key: by_key.collect(),
            clusters: Vec::new(),
        };
        empty.updated(&Snapshot::empty(), snapshot, keys)
    }

    /// The ids of the hosts of `new`, which has the clusters of `old` with other hosts.
    pub(crate) fn updated(&self, old: &Snapshot, new: &Snapshot, keys: &KeyRing) -> Self {
        let clusters = new.clusters().map(|(id, named)| {
            let known = self.clusters.get(id.index());
            match known.filter(|_| new.has_hosts_of(id, old)) {
                Some(known) => known.clone(),
                None => Rc::new(ClusterDirectory::new(&named.name, new.plain(id), keys)),
            }
        });
        Self {
            clusters: clusters.collect(),
            by_key: self.by_key.clone(),
        }
    }

    /// The hosts of a priority in an order that all gateways with the same first key share,
    /// whatever the order in which they learned of the hosts.
    pub(crate) fn order(&self, cluster: ClusterId, priority: usize) -> &[u32] {
        let cluster = self.clusters.get(cluster.index());
        let order = cluster.and_then(|cluster| cluster.orders.get(priority));
        order.map_or(&[], |order| order)
    }

    /// The host of an id under the key at this position of the ring. The search takes the same time
    /// for all unknown ids of a cluster.
    pub(crate) fn find(&self, key: usize, cluster: TokenClusterId, id: HostId) -> Option<HostRef> {
        // Few clusters, and one comparison for each.
        let mut ids = self.by_key.get(key)?.iter();
        let (_, cluster) = ids.find(|(id, _)| *id == cluster)?;
        self.find_in(*cluster, key, id)
    }

    /// The host of an id in a cluster.
    pub(crate) fn find_in(&self, cluster: ClusterId, key: usize, id: HostId) -> Option<HostRef> {
        let ids = self.clusters.get(cluster.index())?.by_key.get(key)?;
        let at = ids.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        let (_, (priority, host)) = *ids.get(at)?;
        Some(HostRef {
            cluster,
            priority,
            host,
        })
    }

    /// The first of these clusters that has a host with this address. `key` is the first key.
    pub(crate) fn owner_of(
        &self,
        key: &TokenKey,
        clusters: &[ClusterId],
        address: &str,
    ) -> Option<ClusterId> {
        let has = |cluster: &&ClusterId| {
            let name = self.cluster(**cluster).map(|(name, _)| name);
            let id = name.map(|name| key.host_id(name, address));
            id.is_some_and(|id| self.find_in(**cluster, 0, id).is_some())
        };
        clusters.iter().find(has).copied()
    }

    /// The name of a cluster, and its id under the key that seals tokens.
    pub(crate) fn cluster(&self, cluster: ClusterId) -> Option<(&str, TokenClusterId)> {
        let cluster = self.clusters.get(cluster.index())?;
        Some((&cluster.name, cluster.id?))
    }
}

impl ClusterDirectory {
    fn new(name: &str, plain: Option<&PlainSnapshot>, keys: &KeyRing) -> Self {
        let by_key = keys.keys().map(|key| {
            let mut ids: Vec<(HostId, Place)> = Vec::new();
            let priorities = plain.map_or(&[][..], |plain| &plain.priorities);
            for (number, priority) in priorities.iter().enumerate() {
                let endpoints = priority.configured.endpoints.iter().enumerate();
                ids.extend(endpoints.map(|(host, endpoint)| {
                    (key.host_id(name, &endpoint.address), (number, host))
                }));
            }
            // If a cluster has an address twice, the first host counts.
            let mut ids = sorted(ids, Ord::cmp);
            ids.dedup_by_key(|(id, _)| *id);
            ids
        });
        let by_key: Vec<Vec<(HostId, Place)>> = by_key.collect();
        let mut orders = alloc::vec![Vec::new(); plain.map_or(0, |plain| plain.priorities.len())];
        for (_, (priority, host)) in by_key.first().into_iter().flatten() {
            if let Some(order) = orders.get_mut(*priority) {
                order.extend(u32::try_from(*host));
            }
        }
        Self {
            name: name.into(),
            // The first key seals; the others only open.
            id: keys.keys().next().map(|key| key.cluster_id(name)),
            by_key,
            orders,
        }
    }
}
