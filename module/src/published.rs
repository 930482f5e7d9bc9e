//! The hosts of a configuration, as the main thread publishes them to all workers.
//!
//! Only the load balancer of the main thread publishes: each configuration gets an immutable
//! snapshot with a generation. A worker compares one atomic number for each request, and takes the
//! lock only after a change. A change of health updates the snapshot; other changes rebuild the
//! cluster.

use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

use spillgate_config::filter::FilterConfig;
use spillgate_core::{
    model::{ClusterKind, Health, Model, Priority},
    snapshot::{ClusterId, HostRef, Snapshot},
};

use crate::lock::locked;

/// The hosts at one time.
#[derive(Debug, Clone)]
pub(crate) struct Published {
    /// Counts publications, from 1.
    pub(crate) generation: u64,
    /// The last publication that added, removed or moved hosts: host references from before it are void.
    pub(crate) regrouped: u64,
    /// The clusters with their hosts.
    pub(crate) snapshot: Snapshot,
    /// The clusters that no load-balancing policy has published.
    pub(crate) unknown: Vec<ClusterId>,
}

/// The hosts that a configuration uses. One thread publishes; others read.
#[derive(Debug)]
pub(crate) struct HostBoard {
    /// The generation of `latest`. Readers compare it without taking the lock.
    generation: AtomicU64,
    /// The last generation in the metrics.
    counted: AtomicU64,
    latest: Mutex<Published>,
    /// The clusters with the hosts that were published last; used by the publishing thread only.
    model: Mutex<Model>,
}

impl HostBoard {
    /// The configured clusters, whose hosts are unknown.
    pub(crate) fn new(config: &FilterConfig) -> Self {
        let snapshot = Snapshot::build(&config.model);
        let clusters = snapshot.clusters().zip(config.model.clusters());
        let plain = clusters.filter(|(_, cluster)| matches!(cluster.kind, ClusterKind::Plain(_)));
        let unknown = plain.map(|((id, _), _)| id).collect();
        Self {
            generation: AtomicU64::new(1),
            counted: AtomicU64::new(1),
            latest: Mutex::new(Published {
                generation: 1,
                regrouped: 1,
                snapshot,
                unknown,
            }),
            model: Mutex::new(config.model.clone()),
        }
    }

    /// The generation of the latest publication.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// The number of publications since the last call, in any thread.
    pub(crate) fn uncounted(&self) -> u64 {
        let generation = self.generation();
        let counted = self.counted.fetch_max(generation, Ordering::Relaxed);
        generation.saturating_sub(counted)
    }

    /// The latest publication.
    pub(crate) fn latest(&self) -> Published {
        locked(&self.latest).clone()
    }

    /// Publishes the hosts of a cluster; `None` if Envoy has removed the cluster. Returns whether
    /// anything changed.
    pub(crate) fn publish(&self, cluster: &str, hosts: Option<&[Priority]>) -> bool {
        let mut model = locked(&self.model);
        let before = self.latest();
        let Some(id) = before.snapshot.cluster_id(cluster) else {
            return false;
        };
        let mut unknown = before.unknown.clone();
        unknown.retain(|known| *known != id);
        if hosts.is_none() {
            unknown.push(id);
        }
        let hosts = hosts.unwrap_or_default();
        let change = Change::between(priorities(&model, id), hosts, id);
        let (snapshot, regrouped) = match change {
            Change::None if unknown == before.unknown => return false,
            Change::None => (before.snapshot, before.regrouped),
            Change::Health(changed) => {
                for &(at, health) in &changed {
                    if let Some(known) = model.health_mut(id.index(), at.priority, at.host) {
                        *known = health;
                    }
                }
                (before.snapshot.with_health(&changed), before.regrouped)
            }
            Change::Hosts => {
                if model.set_priorities(id.index(), hosts.to_vec()).is_err() {
                    // Requests must not use the previous hosts.
                    unknown.push(id);
                }
                let snapshot = before.snapshot.with_hosts(&model, &[id]);
                (snapshot, before.generation + 1)
            }
        };
        let next = Published {
            generation: before.generation + 1,
            regrouped,
            snapshot,
            unknown,
        };
        let generation = next.generation;
        *locked(&self.latest) = next;
        self.generation.store(generation, Ordering::Release);
        true
    }
}

/// How the hosts of a cluster differ.
enum Change {
    None,
    /// The hosts whose health alone differs.
    Health(Vec<(HostRef, Health)>),
    Hosts,
}

impl Change {
    fn between(before: &[Priority], after: &[Priority], cluster: ClusterId) -> Self {
        if before.len() != after.len() {
            return Self::Hosts;
        }
        let mut changed = Vec::new();
        for (priority, (before, after)) in before.iter().zip(after).enumerate() {
            if before.localities != after.localities
                || before.endpoints.len() != after.endpoints.len()
            {
                return Self::Hosts;
            }
            for (host, (before, after)) in before.endpoints.iter().zip(&after.endpoints).enumerate()
            {
                let is_same = before.address == after.address
                    && before.weight == after.weight
                    && before.locality == after.locality
                    && before.hash_key == after.hash_key
                    && before.metadata == after.metadata;
                if !is_same {
                    return Self::Hosts;
                }
                if before.health != after.health {
                    let at = HostRef {
                        cluster,
                        priority,
                        host,
                    };
                    changed.push((at, after.health));
                }
            }
        }
        if changed.is_empty() {
            Self::None
        } else {
            Self::Health(changed)
        }
    }
}

fn priorities(model: &Model, cluster: ClusterId) -> &[Priority] {
    let cluster = model.clusters().get(cluster.index());
    cluster.map_or(&[], |cluster| cluster.priorities())
}
