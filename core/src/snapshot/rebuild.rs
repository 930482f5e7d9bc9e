//! Adds and removes hosts: a new snapshot that builds only the changed clusters again.

use alloc::{sync::Arc, vec::Vec};

use super::{
    ClusterId, ClusterSnapshot, ClusterSnapshotKind, PlainSnapshot, Snapshot, zones::LocalZones,
};
use crate::{
    load::linearized,
    model::{ClusterKind, Model, PanicThreshold, Priority},
    subset::StepIndex,
};

/// The number of sets of a chain step below which unused ones do not matter.
const FEW_SETS: usize = 64;

impl Snapshot {
    /// The snapshot of a model in which the hosts of the plain clusters `changed` differ from the
    /// model of this snapshot. All other clusters are shared with this snapshot, and aggregates are
    /// linked again if a member has changed.
    ///
    /// It decides as a snapshot [built](Self::build) from the model does, except that sets of a
    /// chain step may have other numbers.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::{model::*, snapshot::Snapshot};
    ///
    /// let hosts = |address: &str| vec![Priority::single_locality(vec![Endpoint::new(address)])];
    /// let cluster = |name: &str, address: &str| {
    ///     let plain = PlainCluster { priorities: hosts(address), ..PlainCluster::default() };
    ///     Cluster::plain(name, plain)
    /// };
    /// let clusters = vec![cluster("shop", "10.0.0.1:80"), cluster("blog", "10.0.1.1:80")];
    /// let mut model = Model::new(clusters).unwrap();
    /// let before = Snapshot::build(&model);
    /// let (shop, blog) = (before.cluster_id("shop").unwrap(), before.cluster_id("blog").unwrap());
    ///
    /// model.set_priorities(shop.index(), hosts("10.0.0.2:80")).unwrap();
    /// let after = before.with_hosts(&model, &[shop]);
    /// assert_eq!(after.plain(shop).unwrap().endpoint(0, 0).unwrap().address, "10.0.0.2:80");
    /// assert!(after.has_hosts_of(blog, &before) && !after.has_hosts_of(shop, &before));
    /// ```
    #[must_use]
    pub fn with_hosts(&self, model: &Model, changed: &[ClusterId]) -> Self {
        let mut snapshot = self.clone();
        let mut steps = self.newest_steps();
        let before = snapshot.local_zones();
        // The local cluster first, because zone-aware routing of all other clusters depends on it.
        let is_local = |id: &&ClusterId| Some(**id) == self.local;
        for &id in changed.iter().filter(is_local) {
            snapshot.rebuild(id, model, &mut steps, None);
        }
        let zones = snapshot.local_zones();
        for &id in changed.iter().filter(|id| !is_local(id)) {
            snapshot.rebuild(id, model, &mut steps, zones.as_ref());
        }
        // A label that changes with each deployment would otherwise add sets forever.
        if snapshot.has_many_unused_sets(&steps) {
            return Self::build(model);
        }
        if zones != before {
            let others = (0..snapshot.clusters.len()).map(ClusterId::new);
            for id in others.filter(|id| Some(*id) != self.local) {
                snapshot.change_zones(id, zones.as_ref());
            }
        }
        let touched = |member| changed.contains(&member);
        snapshot.extend_aggregates(&steps, touched);
        snapshot.link_aggregates(touched, Some(self));
        snapshot
    }

    /// Each step of the chain with all of its sets. Clusters that did not change since a set was
    /// added lack it: they have no host in it.
    fn newest_steps(&self) -> Vec<StepIndex> {
        let mut newest: Vec<StepIndex> = Vec::new();
        for cluster in &self.clusters {
            let (plain, aggregate) = match &cluster.kind {
                ClusterSnapshotKind::Plain(plain) => (plain.chain.as_slice(), &[][..]),
                ClusterSnapshotKind::Aggregate(aggregate) => (&[][..], aggregate.chain.as_slice()),
                ClusterSnapshotKind::Composite(_) | ClusterSnapshotKind::OriginalDst(_) => continue,
            };
            let found = plain.iter().map(|step| &step.found);
            let found = found.chain(aggregate.iter().map(|step| &step.found));
            for (at, step) in found.enumerate() {
                match newest.get_mut(at) {
                    None => newest.push(step.clone()),
                    Some(known) if known.health.len() < step.health.len() => *known = step.clone(),
                    Some(_) => {}
                }
            }
        }
        newest
    }

    /// Builds a plain cluster from the model. Sets that are new to a step are added to it.
    fn rebuild(
        &mut self,
        id: ClusterId,
        model: &Model,
        steps: &mut [StepIndex],
        zones: Option<&LocalZones>,
    ) {
        let Some(cluster) = model.clusters().get(id.index()) else {
            return;
        };
        let ClusterKind::Plain(plain) = &cluster.kind else {
            return;
        };
        let priorities: Vec<&Priority> = plain.priorities.iter().collect();
        let mut found: Vec<_> = steps
            .iter()
            .map(|step| step.with_cluster(&priorities))
            .collect();
        for (step, (new, _)) in steps.iter_mut().zip(&found) {
            *step = new.clone();
        }
        let own = model.local().locality.as_ref();
        let built = PlainSnapshot::build(plain, own, zones, &mut found, 0);
        self.replace(id, built);
    }

    /// Whether most sets of a step have no host in any cluster: label values that were used once.
    fn has_many_unused_sets(&self, steps: &[StepIndex]) -> bool {
        steps.iter().enumerate().any(|(at, step)| {
            let sets = step.health.len();
            if sets < FEW_SETS {
                return false;
            }
            let mut used = alloc::vec![false; sets];
            for (id, _) in self.clusters() {
                let step = self.plain(id).and_then(|plain| plain.chain.get(at));
                let health = step.map_or(&[][..], |step| &step.found.health);
                for (used, health) in used.iter_mut().zip(health) {
                    *used |= health.hosts > 0;
                }
            }
            used.iter().filter(|used| **used).count() < sets / 2
        })
    }

    /// Adds the new sets of the steps to the aggregates with a touched member.
    fn extend_aggregates(&mut self, steps: &[StepIndex], touched: impl Fn(ClusterId) -> bool) {
        for cluster in &mut self.clusters {
            let ClusterSnapshotKind::Aggregate(aggregate) = &cluster.kind else {
                continue;
            };
            let members = &aggregate.members;
            if steps.is_empty() || !members.iter().any(|&member| touched(member)) {
                continue;
            }
            let mut extended = aggregate.clone();
            for (step, newest) in extended.chain.iter_mut().zip(steps) {
                step.found.index = newest.index.clone();
                let sets = newest.health.len();
                step.found.health.resize(sets, Default::default());
                let empty = || Arc::new(linearized(&[], PanicThreshold::OFF));
                step.linearized.resize_with(sets, empty);
            }
            *cluster = Arc::new(ClusterSnapshot {
                name: cluster.name.clone(),
                kind: ClusterSnapshotKind::Aggregate(extended),
            });
        }
    }
}
