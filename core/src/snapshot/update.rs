//! New health for some hosts: a new snapshot in which only what they touch is built anew.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    vec::Vec,
};

use super::{
    ClusterId, ClusterSnapshot, HostRef, Kind, PlainSnapshot, Snapshot, zones::LocalZones,
};
use crate::model::Health;

impl Snapshot {
    /// The same clusters after these hosts have changed their health. Hosts that do not exist are
    /// passed over.
    #[must_use]
    pub fn with_health(&self, changes: &[(HostRef, Health)]) -> Self {
        let mut by_cluster: BTreeMap<ClusterId, Vec<(HostRef, Health)>> = BTreeMap::new();
        for &(host, health) in changes {
            if self.endpoint(host).is_some() {
                let changes = by_cluster.entry(host.cluster).or_default();
                changes.push((host, health));
            }
        }
        let mut snapshot = self.clone();
        // The local cluster comes first, because the zones of all others go by it.
        let local_touched = self.local.is_some_and(|id| by_cluster.contains_key(&id));
        let zones = |snapshot: &Self| {
            let local = snapshot.plain(snapshot.local?)?;
            Some(LocalZones::of(local.levels.first()?, &local.settings))
        };
        let before = zones(&snapshot);
        if let (Some(id), true) = (self.local, local_touched)
            && let Some(changes) = by_cluster.remove(&id)
        {
            snapshot.change(id, &changes, before.as_ref());
            by_cluster.insert(id, Vec::new());
        }
        let zones = if local_touched {
            zones(&snapshot)
        } else {
            before
        };
        for (&id, changes) in &by_cluster {
            if !changes.is_empty() {
                snapshot.change(id, changes, zones.as_ref());
            }
        }
        if local_touched {
            for at in 0..snapshot.clusters.len() {
                snapshot.change_zones(ClusterId::new(at), zones.as_ref());
            }
        }
        snapshot.link_aggregates(|member| by_cluster.contains_key(&member));
        snapshot
    }

    fn change(&mut self, id: ClusterId, changes: &[(HostRef, Health)], zones: Option<&LocalZones>) {
        if let Some(plain) = self.plain(id) {
            let changed = plain.with_health(changes, zones);
            self.replace(id, changed);
        }
    }

    /// Level 0 anew, where zones decide in it.
    fn change_zones(&mut self, id: ClusterId, zones: Option<&LocalZones>) {
        let zone_aware = |plain: &&PlainSnapshot| {
            !plain.settings.policy.hashes() && plain.settings.locality_lb.zone_aware().is_some()
        };
        if let Some(plain) = self.plain(id).filter(zone_aware) {
            let all = 0..plain
                .subsets
                .as_ref()
                .map_or(0, |subsets| subsets.sets.len());
            let changed = plain.rebuilt(plain.clone(), &[(0, Vec::new())], all, zones);
            self.replace(id, changed);
        }
    }

    fn replace(&mut self, id: ClusterId, plain: PlainSnapshot) {
        if let Some(cluster) = self.clusters.get_mut(id.index()) {
            *cluster = Arc::new(ClusterSnapshot {
                name: cluster.name.clone(),
                kind: Kind::Plain(plain),
            });
        }
    }
}

impl PlainSnapshot {
    fn with_health(&self, changes: &[(HostRef, Health)], zones: Option<&LocalZones>) -> Self {
        let mut new = self.clone();
        let mut by_level: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (host, _) in changes {
            by_level.entry(host.priority).or_default().push(host.host);
        }
        let mut touched: Vec<(usize, Vec<usize>)> = by_level.into_iter().collect();
        for (priority, changed) in &mut touched {
            changed.sort_unstable();
            changed.dedup();
            if let Some(level) = new.levels.get_mut(*priority) {
                let here = changes
                    .iter()
                    .filter(|(host, _)| host.priority == *priority);
                *level = level.with_health(here.map(|(host, health)| (host.host, *health)));
            }
        }
        let mut sets = BTreeSet::new();
        if let Some(subsets) = &self.subsets {
            for (host, _) in changes {
                if let Some(endpoint) = self.endpoint(host.priority, host.host) {
                    sets.extend(subsets.index.sets_of(&endpoint.metadata));
                }
            }
        }
        self.rebuilt(new, &touched, sets, zones)
    }

    /// Builds the touched levels of the whole and of these sets again.
    fn rebuilt(
        &self,
        mut new: Self,
        touched: &[(usize, Vec<usize>)],
        sets: impl IntoIterator<Item = usize>,
        zones: Option<&LocalZones>,
    ) -> Self {
        let whole = self
            .whole
            .updated(&new.context(zones), &self.levels, touched);
        let mut subsets = new.subsets.clone();
        if let Some(subsets) = &mut subsets {
            for number in sets {
                if let Some(set) = subsets.sets.get_mut(number) {
                    *set = Arc::new(set.updated(&new.context(zones), &self.levels, touched));
                }
            }
        }
        new.whole = Arc::new(whole);
        new.subsets = subsets;
        new
    }
}
