//! Changes host health: a new snapshot that rebuilds only what the change touches.

use alloc::{sync::Arc, vec, vec::Vec};

use super::{
    ClusterId, ClusterSnapshot, ClusterSnapshotKind, HostRef, PlainSnapshot, Snapshot,
    set::update_sets, zones::LocalZones,
};
use crate::{model::Health, order};

impl Snapshot {
    /// The same clusters after these hosts changed their health. Unknown hosts are ignored. If a
    /// host occurs more than once, its last change counts.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::{model::*, snapshot::{HostRef, Snapshot}};
    ///
    /// let hosts = |number: u8| {
    ///     let hosts = [1, 2].map(|host| Endpoint::new(format!("10.0.{number}.{host}:80")));
    ///     Priority::single_locality(hosts.into())
    /// };
    /// let shop = PlainCluster {
    ///     priorities: vec![hosts(0), hosts(1)],
    ///     ..PlainCluster::default()
    /// };
    /// let before = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
    /// let cluster = before.cluster_id("shop").unwrap();
    /// let host = HostRef { cluster, priority: 0, host: 0 };
    /// let after = before.with_health(&[(host, Health::from_status(HealthStatus::Unhealthy))]);
    /// // P0 with one of two hosts: 140 percent of 50 percent.
    /// assert_eq!(after.plain(cluster).unwrap().whole.load.healthy, [70, 30]);
    /// ```
    #[must_use]
    pub fn with_health(&self, changes: &[(HostRef, Health)]) -> Self {
        let mut by_cluster: Vec<(ClusterId, Vec<(HostRef, Health)>)> = Vec::new();
        for &(host, health) in changes {
            if self.endpoint(host).is_none() {
                continue;
            }
            match by_cluster.iter_mut().find(|(id, _)| *id == host.cluster) {
                Some((_, changes)) => changes.push((host, health)),
                None => by_cluster.push((host.cluster, [(host, health)].into())),
            }
        }
        let mut snapshot = self.clone();
        let before = snapshot.local_zones();
        // The local cluster first, because zone-aware routing of all other clusters depends on it.
        let is_local = |id: ClusterId| Some(id) == self.local;
        for (id, changes) in by_cluster.iter().filter(|(id, _)| is_local(*id)) {
            snapshot.change(*id, changes, None);
        }
        let zones = snapshot.local_zones();
        for (id, changes) in by_cluster.iter().filter(|(id, _)| !is_local(*id)) {
            snapshot.change(*id, changes, zones.as_ref());
        }
        if zones != before {
            let others = (0..snapshot.clusters.len()).map(ClusterId::new);
            for id in others.filter(|id| Some(*id) != self.local) {
                snapshot.change_zones(id, zones.as_ref());
            }
        }
        let changed = |member| by_cluster.iter().any(|(id, _)| *id == member);
        snapshot.link_aggregates(changed, Some(self));
        snapshot
    }

    pub(super) fn local_zones(&self) -> Option<LocalZones> {
        let local = self.plain(self.local?)?;
        Some(LocalZones::of(local.priorities.first()?, &local.settings))
    }

    fn change(&mut self, id: ClusterId, changes: &[(HostRef, Health)], zones: Option<&LocalZones>) {
        if let Some(plain) = self.plain(id) {
            let changed = plain.with_health(changes, zones);
            self.replace(id, changed);
        }
    }

    /// Rebuilds priority 0 if zone-aware routing applies to it.
    pub(super) fn change_zones(&mut self, id: ClusterId, zones: Option<&LocalZones>) {
        let zone_aware = |plain: &&PlainSnapshot| !plain.settings.policy.hashes();
        if let Some(plain) = self.plain(id).filter(zone_aware) {
            let all = plain.sets_marked(Staleness::Stale);
            // Envoy computes zone-aware routing for priority 0 only
            // (`regenerateLocalityRoutingStructures`).
            let changed = plain.rebuilt(plain.clone(), &[(0, Vec::new())], &all, zones);
            self.replace(id, changed);
        }
    }

    pub(super) fn replace(&mut self, id: ClusterId, plain: PlainSnapshot) {
        if let Some(cluster) = self.clusters.get_mut(id.index()) {
            *cluster = Arc::new(ClusterSnapshot {
                name: cluster.name.clone(),
                kind: ClusterSnapshotKind::Plain(plain),
            });
        }
    }
}

/// The sets of a cluster that a change touches, by set number.
struct Stale {
    subsets: Vec<bool>,
    /// For each step of the chain.
    steps: Vec<Vec<bool>>,
}

/// The initial mark of sets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Staleness {
    Fresh,
    Stale,
}

fn mark(sets: &mut [bool], set: usize) {
    if let Some(stale) = sets.get_mut(set) {
        *stale = true;
    }
}

impl PlainSnapshot {
    fn with_health(&self, changes: &[(HostRef, Health)], zones: Option<&LocalZones>) -> Self {
        let mut new = self.clone();
        let mut touched: Vec<(usize, Vec<usize>)> = Vec::new();
        for (host, _) in changes {
            match touched
                .iter_mut()
                .find(|(priority, _)| *priority == host.priority)
            {
                Some((_, hosts)) => hosts.push(host.host),
                None => touched.push((host.priority, [host.host].into())),
            }
        }
        for (number, changed) in &mut touched {
            *changed = order::sorted(core::mem::take(changed), usize::cmp);
            changed.dedup();
            if let Some(priority) = new.priorities.get_mut(*number) {
                let here = changes.iter().filter(|(host, _)| host.priority == *number);
                *priority = priority.with_health(here.map(|(host, health)| (host.host, *health)));
            }
        }
        let mut stale = self.sets_marked(Staleness::Fresh);
        for (host, _) in changes {
            let Some(endpoint) = self.endpoint(host.priority, host.host) else {
                continue;
            };
            if let Some(subsets) = &self.subsets {
                let sets = &mut stale.subsets;
                subsets
                    .index
                    .sets_of(&endpoint.metadata, |set| mark(sets, set));
            }
            for (step, sets) in self.chain.iter().zip(&mut stale.steps) {
                step.found
                    .sets_of(&endpoint.metadata, |set| mark(sets, set));
            }
        }
        self.rebuilt(new, &touched, &stale, zones)
    }

    fn sets_marked(&self, mark: Staleness) -> Stale {
        let stale = mark == Staleness::Stale;
        let subsets = self.subsets.as_ref().map_or(0, |s| s.sets.len());
        let steps = self.chain.iter();
        Stale {
            subsets: vec![stale; subsets],
            steps: steps.map(|step| vec![stale; step.sets.len()]).collect(),
        }
    }

    /// Rebuilds the touched priorities of the whole cluster and of the stale sets.
    fn rebuilt(
        &self,
        mut new: Self,
        touched: &[(usize, Vec<usize>)],
        stale: &Stale,
        zones: Option<&LocalZones>,
    ) -> Self {
        let whole = self
            .whole
            .updated(&new.context(zones), &self.priorities, touched);
        let mut subsets = new.subsets.clone();
        if let Some(subsets) = &mut subsets {
            let context = new.context(zones);
            update_sets(
                &mut subsets.sets,
                &stale.subsets,
                &context,
                &self.priorities,
                touched,
            );
        }
        let mut chain = core::mem::take(&mut new.chain);
        for (step, stale) in chain.iter_mut().zip(&stale.steps) {
            step.update(stale, &new.context(zones), &self.priorities, touched);
        }
        new.chain = chain;
        new.whole = Arc::new(whole);
        new.subsets = subsets;
        new
    }
}
