//! A cluster and its requests, for the evaluation of losses.

use alloc::vec::Vec;

use spillgate_core::{
    model::{ClusterKind, MaglevConfig, Metadata, Model, PlainCluster, Policy, RingHashConfig},
    order,
    shares::Distribution,
    snapshot::{ClusterId, ClusterSnapshotKind, HostRef, Snapshot},
};

use crate::{
    LoadState, Loss, LossModel, Selector,
    fault::{Piece, SpecFault},
    loss::matching,
    loss_model::{lose, loss_order},
};

/// A cluster of a model, and the subset criteria of its requests.
#[derive(Debug, Clone)]
pub struct Scene {
    snapshot: Snapshot,
    /// The same clusters with the smallest hash tables: loads, panic and `no_host` do not depend on
    /// their size, and filling them would dominate the time of a sweep.
    light: Snapshot,
    cluster: ClusterId,
    criteria: Metadata,
    hosts: Vec<HostRef>,
}

impl Scene {
    /// A scene of the cluster with this name; `None` if it is unknown.
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

    /// A scene of the first cluster, from which [`Scene::of_cluster`] leads to the others; `None` without clusters.
    #[must_use]
    pub fn of_first(model: &Model, criteria: Metadata) -> Option<Self> {
        Self::new(model, &model.clusters().first()?.name, criteria)
    }

    /// All clusters as configured.
    #[must_use]
    pub const fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The evaluated cluster.
    #[must_use]
    pub const fn cluster(&self) -> ClusterId {
        self.cluster
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        let cluster = self.snapshot.cluster(self.cluster);
        cluster.map_or("", |cluster| &cluster.name)
    }

    /// The same clusters with another evaluated one; `None` if it is unknown.
    #[must_use]
    pub fn of_cluster(&self, cluster: &str) -> Option<Self> {
        let id = self.snapshot.cluster_id(cluster)?;
        Some(Self {
            hosts: hosts(&self.snapshot, id),
            cluster: id,
            ..self.clone()
        })
    }

    /// Whether losses change whose priorities serve.
    pub(crate) fn is_composite(&self) -> bool {
        let cluster = self.snapshot.cluster(self.cluster);
        matches!(
            cluster.map(|cluster| &cluster.kind),
            Some(ClusterSnapshotKind::Composite(_))
        )
    }

    /// The criteria of its requests.
    #[must_use]
    pub const fn criteria(&self) -> &Metadata {
        &self.criteria
    }

    /// The hosts of the cluster, or of the members of an aggregate, in configuration order: by
    /// cluster, priority and index. This is the order of [`HostRef`].
    #[must_use]
    pub fn hosts(&self) -> &[HostRef] {
        &self.hosts
    }

    /// The hosts that a selector matches, in configuration order.
    ///
    /// # Errors
    /// If the selector matches no host.
    pub fn select(&self, selector: &Selector) -> Result<Vec<HostRef>, SpecFault> {
        matching(&self.snapshot, &self.hosts, self.name(), selector)
    }

    /// The lost hosts, in configuration order: for each loss, the first hosts in the order of
    /// [`Scene::loss_order`]. Amounts count usable hosts. A host that several losses select is lost
    /// once.
    ///
    /// # Errors
    /// All losses that select no host, or not enough usable hosts.
    pub fn lost(&self, losses: &[Loss]) -> Result<Vec<HostRef>, Vec<SpecFault>> {
        let (mut lost, mut faults) = (Vec::new(), Vec::new());
        for loss in losses {
            match self.select(&loss.selector) {
                Err(fault) => faults.push(fault),
                Ok(selected) => {
                    let order = self.loss_order(&selected);
                    match loss.amount.of(order.len()) {
                        Some(count) => lost.extend(order.into_iter().take(count)),
                        None => faults.push(too_many(loss, order.len())),
                    }
                }
            }
        }
        if faults.is_empty() {
            Ok(self.in_order(&lost))
        } else {
            Err(faults)
        }
    }

    /// The usable ones of these hosts in the order in which they are lost: healthy hosts, then degraded
    /// ones, each from the end of configuration order. So a loss is the worst of its size.
    #[must_use]
    pub fn loss_order(&self, hosts: &[HostRef]) -> Vec<HostRef> {
        loss_order(&self.snapshot, hosts)
    }

    /// The first `count` usable ones of these hosts in loss order, in configuration order.
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

    /// The loads of the cluster in a snapshot of the same clusters.
    #[must_use]
    pub fn load_state(&self, snapshot: &Snapshot) -> LoadState {
        LoadState::of(snapshot, self.cluster, &self.criteria)
    }

    /// The shares of the hosts in a snapshot of the same clusters.
    #[must_use]
    pub fn shares(&self, snapshot: &Snapshot) -> Distribution {
        snapshot.distribution_for(self.cluster, &self.criteria, None)
    }

    /// The loads of the cluster without these hosts.
    #[must_use]
    pub fn state(&self, lost: &[HostRef]) -> LoadState {
        self.losses().state(lost)
    }

    /// The loads of the cluster after losing the first 0, 1, 2 and so on of the swept hosts, in the
    /// order of [`Scene::loss_order`], in addition to the hosts in `gone`.
    pub fn sweep(&self, gone: &[HostRef], swept: &[HostRef]) -> impl Iterator<Item = LoadState> {
        self.losses().sweep(gone, self.loss_order(swept))
    }

    /// The losses of its hosts.
    #[must_use]
    pub fn losses(&self) -> LossModel<'_> {
        LossModel::new(&self.light, self.cluster, &self.criteria)
    }
}

fn too_many(loss: &Loss, usable: usize) -> SpecFault {
    let text = alloc::format!("{}", loss.amount);
    SpecFault::new(
        "what-if/too-many",
        Piece::whole(&text),
        "more hosts than are usable",
        alloc::format!("at most {usable}, or a percentage"),
    )
}

/// All hosts, sorted.
#[cfg(feature = "world")]
pub(crate) fn all_hosts(snapshot: &Snapshot) -> Vec<HostRef> {
    let clusters = snapshot.clusters();
    clusters
        .flat_map(|(id, _)| own_hosts(snapshot, id))
        .collect()
}

/// The hosts of a cluster or of its members, sorted.
pub(crate) fn hosts(snapshot: &Snapshot, cluster: ClusterId) -> Vec<HostRef> {
    let members: Vec<ClusterId> = snapshot.owners(cluster).collect();
    let clusters = snapshot
        .clusters()
        .map(|(id, _)| id)
        .filter(|id| members.contains(id));
    clusters.flat_map(|id| own_hosts(snapshot, id)).collect()
}

/// The hosts of a cluster itself, sorted.
fn own_hosts(snapshot: &Snapshot, cluster: ClusterId) -> impl Iterator<Item = HostRef> {
    let priorities = snapshot
        .plain(cluster)
        .map(|plain| plain.priorities.as_slice())
        .unwrap_or_default()
        .iter()
        .enumerate();
    priorities.flat_map(move |(number, priority)| {
        (0..priority.len()).map(move |host| HostRef {
            cluster,
            priority: number,
            host,
        })
    })
}

/// The model with the smallest hash tables; `None` if it has no hash tables.
fn light(model: &Model) -> Option<Model> {
    let mut smaller = false;
    let mut light = model.clone();
    for (at, cluster) in model.clusters().iter().enumerate() {
        let has_table = matches!(&cluster.kind, ClusterKind::Plain(plain) if plain.policy.hashes());
        if has_table {
            smaller |= light
                .change(at, |kind| match kind {
                    ClusterKind::Plain(plain) => shrink_table(plain),
                    _ => false,
                })
                .ok()??;
        }
    }
    smaller.then_some(light)
}

/// Gives a cluster the smallest hash tables; false if it has none. Its loads stay the same.
pub fn shrink_table(plain: &mut PlainCluster) -> bool {
    let small = match plain.policy {
        Policy::Maglev(_) => MaglevConfig::new(SMALL_TABLE).ok().map(Policy::Maglev),
        // A ring still has an entry for the first host at least, so a priority with hosts serves.
        Policy::RingHash(ring) => RingHashConfig::new(1, 1, ring.hash_function())
            .ok()
            .map(Policy::RingHash),
        _ => None,
    };
    let has_table = small.is_some();
    if let Some(policy) = small {
        plain.policy = policy;
    }
    has_table
}

/// A prime that does not divide 100, the number of hash residues that choose a priority.
const SMALL_TABLE: u64 = 7;
