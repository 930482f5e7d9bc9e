//! The hosts that rows of a request list name by address: `tried` and `active`.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use spillgate_core::{
    decide::HostStats,
    snapshot::{ClusterId, ClusterSnapshotKind, HostRef, Snapshot},
};

use super::PickRequest;

/// All hosts of a snapshot by address; several clusters can have the same address.
#[derive(Debug)]
pub struct Addresses<'s> {
    hosts: HashMap<&'s str, Vec<HostRef>>,
}

/// The hosts of a row, for one cluster.
#[derive(Debug, Default)]
pub struct KnownHosts {
    /// The hosts of earlier attempts, in order.
    pub tried: Vec<HostRef>,
    /// The number of active requests by host.
    active: BTreeMap<HostRef, u32>,
    /// The number of active requests by cluster.
    by_cluster: BTreeMap<ClusterId, u32>,
    /// The time since hosts became healthy.
    since_healthy: BTreeMap<HostRef, Duration>,
}

impl<'s> Addresses<'s> {
    /// The hosts of all clusters.
    pub fn of(snapshot: &'s Snapshot) -> Self {
        let mut hosts: HashMap<&str, Vec<HostRef>> = HashMap::new();
        for (cluster, _) in snapshot.clusters() {
            let priorities = snapshot
                .plain(cluster)
                .map(|plain| plain.priorities.as_slice());
            for (number, priority) in priorities.unwrap_or_default().iter().enumerate() {
                for (host, endpoint) in priority.configured.endpoints.iter().enumerate() {
                    hosts.entry(&endpoint.address).or_default().push(HostRef {
                        cluster,
                        priority: number,
                        host,
                    });
                }
            }
        }
        Self { hosts }
    }

    /// Whether several clusters have the address.
    pub fn is_shared(&self, address: &str) -> bool {
        let mut clusters = self
            .hosts
            .get(address)
            .into_iter()
            .flatten()
            .map(|host| host.cluster);
        let first = clusters.next();
        clusters.any(|cluster| Some(cluster) != first)
    }

    /// The hosts of a request that belong to `cluster` or to its members.
    pub fn known(
        &self,
        snapshot: &Snapshot,
        cluster: ClusterId,
        request: &PickRequest,
    ) -> KnownHosts {
        let mut known = KnownHosts::default();
        let of = |address: &str| {
            self.hosts
                .get(address)
                .map(Vec::as_slice)
                .unwrap_or_default()
        };
        for (address, count) in &request.active {
            for &host in of(address) {
                for busy in [
                    known.active.entry(host).or_insert(0),
                    known.by_cluster.entry(host.cluster).or_insert(0),
                ] {
                    *busy = busy.saturating_add(*count);
                }
            }
        }
        for (address, time) in &request.since_healthy {
            let hosts = of(address).iter();
            known.since_healthy.extend(hosts.map(|host| (*host, *time)));
        }
        // An attempt without a known host counts as an attempt too.
        let unknown = HostRef {
            cluster,
            priority: usize::MAX,
            host: usize::MAX,
        };
        // A request whose cluster changes with the attempts has tried hosts of other clusters.
        let own = |(attempt, address): (usize, &String)| {
            let other = || of(address).first().copied();
            let own = match snapshot.cluster(cluster).map(|found| &found.kind) {
                Some(ClusterSnapshotKind::Composite(composite)) => {
                    let mut asked = composite.of_attempt(attempt);
                    asked.find_map(|member| self.host_in(snapshot, member, address))
                }
                _ => self.host_in(snapshot, cluster, address),
            };
            own.or_else(other)
        };
        let tried = request.tried.iter().enumerate().map(own);
        known.tried = tried.map(|host| host.unwrap_or(unknown)).collect();
        known.tried.resize(request.attempts() as usize, unknown);
        known
    }

    /// The hosts with this address in `cluster` or in its members.
    pub fn hosts_in<'a>(
        &'a self,
        snapshot: &Snapshot,
        cluster: ClusterId,
        address: &str,
    ) -> impl Iterator<Item = HostRef> + use<'a, 's> {
        let owners: Vec<ClusterId> = snapshot.owners(cluster).collect();
        let hosts = self.hosts.get(address).into_iter().flatten().copied();
        hosts.filter(move |host| owners.contains(&host.cluster))
    }

    /// The first host with this address in `cluster` or in its members.
    pub fn host_in(
        &self,
        snapshot: &Snapshot,
        cluster: ClusterId,
        address: &str,
    ) -> Option<HostRef> {
        self.hosts_in(snapshot, cluster, address).next()
    }
}

impl KnownHosts {
    /// Whether the row names no hosts.
    pub fn nothing(&self) -> bool {
        self.tried.is_empty() && self.active.is_empty() && self.since_healthy.is_empty()
    }
}

impl HostStats for KnownHosts {
    fn active(&self, host: HostRef) -> u32 {
        self.active.get(&host).copied().unwrap_or(0)
    }

    fn cluster_active(&self, cluster: ClusterId) -> u32 {
        self.by_cluster.get(&cluster).copied().unwrap_or(0)
    }

    fn healthy_for(&self, host: HostRef) -> Option<Duration> {
        self.since_healthy.get(&host).copied()
    }
}
