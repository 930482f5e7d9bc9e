//! The hosts of a priority: configuration and current health.

use alloc::{sync::Arc, vec::Vec};

use super::{HostList, Settings};
use crate::{
    hash::xxh64,
    load::PriorityHealth,
    model::{CoarseHealth, Endpoint, Health, Locality, Policy, Priority},
    order,
    pick::reported_weights,
};

/// The hosts of a priority with their current health.
#[derive(Debug, Clone)]
pub struct PriorityHosts {
    /// The configured hosts and localities.
    pub configured: Arc<Priority>,
    /// The localities with hosts, as indices in [`Priority::localities`]: the proxy's own first,
    /// then the others sorted by name. Elsewhere a locality index is an index in this list.
    pub localities: Arc<[u32]>,
    /// Whether the first locality is the proxy's own.
    pub has_local_locality: bool,
    /// For each index in [`Priority::localities`]: the index in the list above.
    indices: Arc<[Option<u32>]>,
    /// The current health of each host.
    states: Arc<[Health]>,
    /// The weight of each host, if it differs from the configured one.
    weights: Option<Arc<[u32]>>,
    /// Whether all hosts have the same weight, so that lists need no comparison.
    even: bool,
}

impl PriorityHosts {
    pub(super) fn new(settings: &Settings, priority: Priority, own: Option<&Locality>) -> Self {
        let (localities, has_local_locality) = locality_order(&priority, own);
        let mut indices = alloc::vec![None; priority.localities.len()];
        for (index, &at) in (0_u32..).zip(localities.iter()) {
            if let Some(found) = indices.get_mut(at as usize) {
                *found = Some(index);
            }
        }
        let reports = || -> Vec<Option<u32>> {
            let endpoints = priority.endpoints.iter();
            endpoints.map(|endpoint| endpoint.reported_weight).collect()
        };
        let mut hosts = Self {
            // Apart from the endpoints, so that a change of health does not copy addresses and metadata.
            states: priority.endpoints.iter().map(|e| e.health).collect(),
            weights: (settings.policy == Policy::ClientSideWeightedRoundRobin)
                .then(|| reported_weights(&reports()).into()),
            configured: Arc::new(priority),
            indices: indices.into(),
            localities,
            has_local_locality,
            even: false,
        };
        let mut weights = (0..hosts.len()).map(|host| hosts.weight(host));
        let first = weights.next();
        hosts.even = weights.all(|weight| Some(weight) == first);
        hosts
    }

    /// The same hosts with changed health.
    pub(super) fn with_health(&self, changes: impl Iterator<Item = (usize, Health)>) -> Self {
        let mut hosts = self.clone();
        let states = Arc::make_mut(&mut hosts.states);
        for (host, health) in changes {
            if let Some(state) = states.get_mut(host) {
                *state = health;
            }
        }
        hosts
    }

    /// The number of hosts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.configured.endpoints.len()
    }

    /// Whether the priority has no hosts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.configured.endpoints.is_empty()
    }

    /// The endpoint of a host.
    #[must_use]
    pub fn endpoint(&self, host: usize) -> Option<&Endpoint> {
        self.configured.endpoints.get(host)
    }

    /// The current health of a host; unhealthy for an unknown host.
    #[must_use]
    pub fn health(&self, host: usize) -> Health {
        const UNKNOWN_HOST: Health = Health::from_status(crate::model::HealthStatus::Unhealthy);
        self.states.get(host).copied().unwrap_or(UNKNOWN_HOST)
    }

    /// The current coarse health of a host.
    #[must_use]
    pub fn coarse(&self, host: usize) -> CoarseHealth {
        self.health(host).coarse()
    }

    /// The weight of a host: configured, or from load reports.
    #[must_use]
    pub fn weight(&self, host: usize) -> u32 {
        match &self.weights {
            Some(weights) => weights.get(host).copied().unwrap_or(1),
            None => self.configured_weight(host),
        }
    }

    /// The input of rendezvous hashing by session key: a hash of the address, and the weight.
    pub(crate) fn rendezvous_key(&self, host: usize) -> (u64, u32) {
        let address = self.endpoint(host).map_or("", |e| e.address.as_str());
        (xxh64(address.as_bytes(), 0), self.weight(host))
    }

    /// The weight that [`PriorityHealth`] counts.
    pub(crate) fn configured_weight(&self, host: usize) -> u32 {
        self.endpoint(host).map_or(1, |e| e.weight.get())
    }

    /// Whether the hosts of a list use an EDF schedule: their weights differ, or slow start may
    /// change them.
    pub(crate) fn scheduled(&self, list: HostList<'_>, settings: &Settings) -> bool {
        if list.len() < 2 || settings.slow_start.is_some() {
            return list.len() > 1;
        }
        let first = list.get(0).map(|host| self.weight(host));
        !self.even && list.iter().any(|host| Some(self.weight(host)) != first)
    }

    /// The text that hash tables hash for a host.
    pub(super) fn hash_key(&self, host: usize) -> &str {
        self.endpoint(host).map_or("", Endpoint::hash_key)
    }

    /// The index of a host's locality in [`PriorityHosts::localities`].
    #[must_use]
    pub fn locality_of(&self, host: usize) -> Option<usize> {
        let index = self.indices.get(self.endpoint(host)?.locality)?;
        index.map(|index| index as usize)
    }

    /// The configured weight of each locality, in locality order; 0 if not configured.
    pub(super) fn locality_weights(&self) -> Vec<u32> {
        self.localities
            .iter()
            .map(|&at| {
                let locality = self.configured.localities.get(at as usize);
                locality.and_then(|l| l.weight).unwrap_or(0)
            })
            .collect()
    }

    /// Host counts of a list by class. Envoy counts before the first load report, so reported
    /// weights do not count.
    pub(super) fn count(
        &self,
        hosts: impl Iterator<Item = usize>,
        settings: &Settings,
    ) -> PriorityHealth {
        PriorityHealth::count(
            hosts.map(|host| (self.health(host), self.configured_weight(host))),
            settings.weighted_priority_health,
            settings.overprovisioning_factor,
        )
    }
}

/// Envoy sorts the localities of a priority by name and puts the proxy's own locality first.
fn locality_order(priority: &Priority, own: Option<&Locality>) -> (Arc<[u32]>, bool) {
    let mut used = alloc::vec![false; priority.localities.len()];
    for endpoint in &priority.endpoints {
        if let Some(used) = used.get_mut(endpoint.locality) {
            *used = true;
        }
    }
    let name = |at: u32| priority.localities.get(at as usize).map(|l| &l.locality);
    let is_own = |at: u32| own.is_some() && name(at) == own;
    let used: Vec<u32> = (0_u32..)
        .zip(&used)
        .filter(|(_, used)| **used)
        .map(|(at, _)| at)
        .collect();
    let order = order::sorted(used, |&a, &b| {
        is_own(b)
            .cmp(&is_own(a))
            .then_with(|| name(a).cmp(&name(b)))
    });
    let has_local = order.first().is_some_and(|&at| is_own(at));
    (order.into(), has_local)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PlainCluster, Weight};

    #[test]
    fn only_a_list_with_different_weights_has_a_schedule() {
        let weights = [1, 1, 3];
        let endpoints = weights.iter().map(|&weight| Endpoint {
            weight: Weight::new(weight).unwrap_or(Weight::ONE),
            ..Endpoint::default()
        });
        let priority = Priority::single_locality(endpoints.collect());
        let (settings, _) = Settings::split(&PlainCluster::default());
        let hosts = PriorityHosts::new(&settings, priority, None);
        let scheduled = |list: &[u32]| hosts.scheduled(HostList::listed(list), &settings);
        assert!(!scheduled(&[]));
        assert!(!scheduled(&[2]));
        assert!(!scheduled(&[0, 1]), "their weights are the same");
        assert!(scheduled(&[1, 2]));
        assert!(scheduled(&[0, 1, 2]));
    }
}
