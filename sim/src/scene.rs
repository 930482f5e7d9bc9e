//! A cluster and the requests for it, ready for questions about losses.

use alloc::{borrow::ToOwned as _, vec::Vec};

use spillgate_core::{
    model::{
        Cluster, ClusterKind, CoarseHealth, Health, HealthFlags, MaglevConfig, Metadata, Model,
        Policy, RingHashConfig,
    },
    order,
    shares::Distribution,
    snapshot::{ClusterId, ClusterSnapshotKind, HostRef, Snapshot},
};

use crate::{
    LoadState, Loss, Selector,
    fault::{Piece, SpecFault},
    loss::matching,
};

/// A cluster of a model, and the subset criteria of its requests.
#[derive(Debug, Clone)]
pub struct Scene {
    snapshot: Snapshot,
    /// The same with the smallest hash tables there are. Loads, panic and what finds no host do
    /// not depend on their size, and most of the time of a sweep would go into filling them.
    light: Snapshot,
    cluster: ClusterId,
    criteria: Metadata,
    hosts: Vec<HostRef>,
}

impl Scene {
    /// A scene of the cluster of this name; `None` when there is none.
    #[must_use]
    pub fn new(model: &Model, cluster: &str, criteria: Metadata) -> Option<Self> {
        let snapshot = Snapshot::build(model);
        let light = light(model).map(|model| Snapshot::build(&model));
        let id = snapshot.cluster_id(cluster)?;
        Some(Self {
            hosts: hosts(&snapshot, id),
            light: light.unwrap_or_else(|| snapshot.clone()),
            snapshot,
            cluster: id,
            criteria,
        })
    }

    /// All clusters as configured.
    #[must_use]
    pub const fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The cluster in question.
    #[must_use]
    pub const fn cluster(&self) -> ClusterId {
        self.cluster
    }

    /// The criteria of its requests.
    #[must_use]
    pub const fn criteria(&self) -> &Metadata {
        &self.criteria
    }

    /// Its hosts, under an aggregate those of its members, in configuration order: by cluster, by
    /// priority, by place in the priority. A list in this order is sorted.
    #[must_use]
    pub fn hosts(&self) -> &[HostRef] {
        &self.hosts
    }

    /// The hosts that a selector means, in configuration order.
    ///
    /// # Errors
    /// When there is none.
    pub fn select(&self, selector: &Selector) -> Result<Vec<HostRef>, SpecFault> {
        matching(&self.snapshot, &self.hosts, selector)
    }

    /// The hosts that are lost, in configuration order: of each loss the first ones in the order of
    /// [`Scene::loss_order`]. A host that several losses name is lost once.
    ///
    /// # Errors
    /// Every loss that selects no host, or too few.
    pub fn lost(&self, losses: &[Loss]) -> Result<Vec<HostRef>, Vec<SpecFault>> {
        let (mut lost, mut faults) = (Vec::new(), Vec::new());
        for loss in losses {
            match self.select(&loss.selector) {
                Err(fault) => faults.push(fault),
                Ok(selected) => match loss.amount.of(selected.len()) {
                    Some(count) => lost.extend(self.first_lost(&selected, count)),
                    None => {
                        let text = alloc::format!("{}", loss.amount);
                        let code = "what-if/too-many";
                        faults.push(SpecFault::new(
                            code,
                            Piece::whole(&text),
                            "more hosts are lost than there are",
                            alloc::format!("at most {}, or a percentage", selected.len()),
                        ));
                    }
                },
            }
        }
        match faults.is_empty() {
            true => Ok(self.in_order(&lost)),
            false => Err(faults),
        }
    }

    /// Hosts in the order in which they are lost, so that a loss is the worst of its size: healthy
    /// hosts, then degraded ones, then the rest, each from the end of configuration order.
    #[must_use]
    pub fn loss_order(&self, hosts: &[HostRef]) -> Vec<HostRef> {
        let class = |host: &HostRef| {
            let priority = self
                .snapshot
                .plain(host.cluster)?
                .priorities
                .get(host.priority);
            Some(priority?.health(host.host).coarse())
        };
        let rank = |host: &HostRef| match class(host) {
            Some(CoarseHealth::Healthy) => 0,
            Some(CoarseHealth::Degraded) => 1,
            Some(CoarseHealth::Unhealthy) | None => 2,
        };
        let compare = |a: &HostRef, b: &HostRef| rank(a).cmp(&rank(b)).then(b.cmp(a));
        order::sorted(hosts.to_vec(), compare)
    }

    /// So many of these hosts that are lost first, in configuration order.
    #[must_use]
    pub fn first_lost(&self, hosts: &[HostRef], count: usize) -> Vec<HostRef> {
        let mut lost = self.loss_order(hosts);
        lost.truncate(count);
        self.in_order(&lost)
    }

    /// These hosts in configuration order, each once.
    pub(crate) fn in_order(&self, hosts: &[HostRef]) -> Vec<HostRef> {
        let mut hosts = order::sorted(hosts.to_vec(), HostRef::cmp);
        hosts.dedup();
        hosts.retain(|host| self.hosts.binary_search(host).is_ok());
        hosts
    }

    /// All clusters without these hosts.
    #[must_use]
    pub fn without(&self, lost: &[HostRef]) -> Snapshot {
        lose(&self.snapshot, lost)
    }

    /// What the cluster does in a snapshot of the same clusters.
    #[must_use]
    pub fn look(&self, snapshot: &Snapshot) -> LoadState {
        LoadState::of(snapshot, self.cluster, &self.criteria)
    }

    /// Where its requests go there.
    #[must_use]
    pub fn shares(&self, snapshot: &Snapshot) -> Distribution {
        snapshot.distribution_for(self.cluster, &self.criteria, None)
    }

    /// What the cluster does without these hosts.
    #[must_use]
    pub fn state(&self, lost: &[HostRef]) -> LoadState {
        self.look(&lose(&self.light, lost))
    }

    /// What the cluster does when, beside those that are gone, none, one, two and so on of the
    /// swept hosts are lost, in the order of [`Scene::loss_order`].
    pub fn sweep(&self, gone: &[HostRef], swept: &[HostRef]) -> impl Iterator<Item = LoadState> {
        let mut snapshot = lose(&self.light, gone);
        let first = self.look(&snapshot);
        let further = self.loss_order(swept).into_iter().map(move |host| {
            snapshot = lose(&snapshot, &[host]);
            self.look(&snapshot)
        });
        core::iter::once(first).chain(further)
    }
}

/// A lost host fails its health checks. Whatever else is known of it stays: a draining host does
/// not come back into its priority's size by failing.
fn lose(snapshot: &Snapshot, lost: &[HostRef]) -> Snapshot {
    let failed = |&host: &HostRef| {
        let priority = snapshot
            .plain(host.cluster)?
            .priorities
            .get(host.priority)?;
        let now = priority.health(host.host);
        let flags = HealthFlags {
            failed_active_hc: true,
            ..now.flags
        };
        Some((host, Health { flags, ..now }))
    };
    let changes: Vec<(HostRef, Health)> = lost.iter().filter_map(failed).collect();
    snapshot.with_health(&changes)
}

/// All hosts, sorted.
#[cfg(feature = "world")]
pub(crate) fn all_hosts(snapshot: &Snapshot) -> Vec<HostRef> {
    let clusters = snapshot.clusters();
    clusters
        .flat_map(|(id, _)| own_hosts(snapshot, id))
        .collect()
}

/// The hosts behind a cluster, sorted.
fn hosts(snapshot: &Snapshot, cluster: ClusterId) -> Vec<HostRef> {
    let members = match snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
        Some(ClusterSnapshotKind::Aggregate(aggregate)) => aggregate.members.as_slice(),
        _ => &[cluster],
    };
    let clusters = snapshot.clusters().map(|(id, _)| id);
    let clusters = clusters.filter(|id| members.contains(id));
    clusters.flat_map(|id| own_hosts(snapshot, id)).collect()
}

/// The hosts of a cluster itself, sorted.
fn own_hosts(snapshot: &Snapshot, cluster: ClusterId) -> impl Iterator<Item = HostRef> {
    let priorities = snapshot
        .plain(cluster)
        .map(|plain| plain.priorities.as_slice());
    let priorities = priorities.unwrap_or_default().iter().enumerate();
    priorities.flat_map(move |(number, priority)| {
        (0..priority.len()).map(move |host| HostRef {
            cluster,
            priority: number,
            host,
        })
    })
}

/// The model with the smallest hash tables; `None` where there are none to be made smaller.
fn light(model: &Model) -> Option<Model> {
    let mut smaller = false;
    let mut clusters: Vec<Cluster> = model.clusters().to_owned();
    for cluster in &mut clusters {
        let ClusterKind::Plain(plain) = &mut cluster.kind else {
            continue;
        };
        let small = match plain.policy {
            Policy::Maglev(_) => MaglevConfig::new(SMALL_TABLE).ok().map(Policy::Maglev),
            Policy::RingHash(ring) => RingHashConfig::new(1, 1, ring.hash_function())
                .ok()
                .map(Policy::RingHash),
            _ => None,
        };
        if let Some(policy) = small {
            plain.policy = policy;
            smaller = true;
        }
    }
    let light = Model::new(clusters).ok().filter(|_| smaller)?;
    Some(light.with_local(model.local().clone()))
}

/// A prime that shares no factor with the 100 residues that choose a priority.
const SMALL_TABLE: u64 = 7;
