//! The hosts as the workers of Envoy see them: with delivered health and membership.

use alloc::{collections::BTreeMap, vec, vec::Vec};

use spillgate_core::{
    model::{Endpoint, Health, Model, Priority},
    snapshot::{ClusterId, HostRef, Snapshot},
};

use super::Cast;

/// A snapshot, and the hosts of the cast in it.
#[derive(Debug, Clone)]
pub(crate) struct WorkerView {
    model: Model,
    snapshot: Snapshot,
    /// By number: the place in the snapshot; `None` for a host that is not a member.
    places: Vec<Option<HostRef>>,
    /// The numbers by place; `None` while the places are those of the configuration.
    numbers: Option<BTreeMap<HostRef, usize>>,
    health: Vec<Health>,
}

impl WorkerView {
    pub(crate) fn new(model: Model, snapshot: Snapshot, cast: &Cast) -> Self {
        let hosts = cast.hosts().iter();
        Self {
            model,
            snapshot,
            places: hosts.clone().map(|host| Some(host.at)).collect(),
            numbers: None,
            health: hosts.map(|host| host.health).collect(),
        }
    }

    pub(crate) const fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The place of a host in the snapshot.
    pub(crate) fn place(&self, number: usize) -> Option<HostRef> {
        self.places.get(number).copied().flatten()
    }

    /// The delivered health of a host.
    pub(crate) fn health(&self, number: usize) -> Health {
        self.health.get(number).copied().unwrap_or_default()
    }

    pub(crate) fn is_member(&self, number: usize) -> bool {
        self.place(number).is_some()
    }

    /// The number of a host of the snapshot.
    pub(crate) fn number(&self, at: HostRef, cast: &Cast) -> Option<usize> {
        match &self.numbers {
            None => cast.number(at),
            Some(numbers) => numbers.get(&at).copied(),
        }
    }

    /// Delivers health to the workers; without a change, false.
    pub(crate) fn set_health(&mut self, changes: &[(usize, Health)]) -> bool {
        let mut changed = BTreeMap::new();
        for (number, health) in changes {
            let Some(known) = self.health.get_mut(*number) else {
                continue;
            };
            if *known != *health {
                *known = *health;
                changed.extend(self.place(*number).map(|place| (place, *health)));
            }
        }
        if !changed.is_empty() {
            let changed: Vec<(HostRef, Health)> = changed.into_iter().collect();
            self.snapshot = self.snapshot.with_health(&changed);
            return true;
        }
        false
    }

    /// Delivers the members to the workers, with their health.
    pub(crate) fn set_members(&mut self, members: &[bool], cast: &Cast) {
        let mut places = vec![None; cast.len()];
        let mut numbers = BTreeMap::new();
        let mut clusters: BTreeMap<ClusterId, Vec<Priority>> = BTreeMap::new();
        let mut next: BTreeMap<(ClusterId, usize), usize> = BTreeMap::new();
        for (number, host) in cast.hosts().iter().enumerate() {
            if members.get(number) != Some(&true) {
                continue;
            }
            let at = host.at;
            let index = next.entry((at.cluster, at.priority)).or_default();
            let place = HostRef { host: *index, ..at };
            *index += 1;
            if let Some(known) = places.get_mut(number) {
                *known = Some(place);
            }
            numbers.insert(place, number);
        }
        for host in cast.hosts() {
            let cluster = host.at.cluster;
            if clusters.contains_key(&cluster) {
                continue;
            }
            let configured = self.configured(cluster);
            clusters.insert(cluster, kept(configured, cluster, members, cast));
        }
        let changed: Vec<ClusterId> = clusters.keys().copied().collect();
        let mut model = self.model.clone();
        for (cluster, priorities) in clusters {
            // Localities are those of a valid model.
            let _ = model.set_priorities(cluster.index(), priorities);
        }
        self.snapshot = self.snapshot.with_hosts(&model, &changed);
        let health = places.iter().zip(&self.health);
        let all: Vec<(HostRef, Health)> = health
            .filter_map(|(place, health)| Some(((*place)?, *health)))
            .collect();
        self.snapshot = self.snapshot.with_health(&all);
        self.places = places;
        self.numbers = Some(numbers);
    }

    fn configured(&self, cluster: ClusterId) -> &[Priority] {
        let found = self.model.clusters().get(cluster.index());
        found.map_or(&[], |cluster| cluster.priorities())
    }
}

/// The priorities without hosts that are not members.
fn kept(
    configured: &[Priority],
    cluster: ClusterId,
    members: &[bool],
    cast: &Cast,
) -> Vec<Priority> {
    let priorities = configured.iter().enumerate();
    let of_priority = |(priority, of): (usize, &Priority)| {
        let is_member = |host: usize| {
            let at = HostRef {
                cluster,
                priority,
                host,
            };
            cast.number(at).and_then(|number| members.get(number)) == Some(&true)
        };
        let endpoints = of.endpoints.iter().enumerate();
        let endpoints = endpoints.filter(|(host, _)| is_member(*host));
        Priority {
            localities: of.localities.clone(),
            endpoints: endpoints.map(|(_, of)| Endpoint::clone(of)).collect(),
        }
    };
    priorities.map(of_priority).collect()
}
