//! The hosts of a priority: what is configured of them, and how they are now.

use alloc::{sync::Arc, vec::Vec};

use crate::{
    hash::xxh64,
    load::PriorityHealth,
    model::{Coarse, Endpoint, Health, Locality, PlainCluster, Policy, Priority},
    order,
    pick::reported_weights,
};

/// A priority's hosts and their present health.
#[derive(Debug, Clone)]
pub struct PriorityHosts {
    /// The hosts and localities, as configured.
    pub configured: Arc<Priority>,
    /// The localities that have hosts, as places in [`Priority::localities`]: the proxy's own first,
    /// the others by name. Balancing knows localities by their place in this list.
    pub localities: Arc<[u32]>,
    /// Whether the first of them is the proxy's own.
    pub has_local_locality: bool,
    /// By place in [`Priority::localities`]: the place in the list above.
    places: Arc<[Option<u32>]>,
    /// By host: its health now.
    states: Arc<[Health]>,
    /// By host: its weight, where that is not the configured one.
    weights: Option<Arc<[u32]>>,
    /// Whether all hosts weigh the same, so that nobody need look at each.
    even: bool,
}

impl PriorityHosts {
    pub(super) fn new(cluster: &PlainCluster, priority: &Priority, own: Option<&Locality>) -> Self {
        let (localities, has_local_locality) = locality_order(priority, own);
        let mut places = alloc::vec![None; priority.localities.len()];
        for (place, &at) in (0_u32..).zip(localities.iter()) {
            if let Some(found) = places.get_mut(at as usize) {
                *found = Some(place);
            }
        }
        let reports = || -> Vec<Option<u32>> {
            let endpoints = priority.endpoints.iter();
            endpoints.map(|endpoint| endpoint.reported_weight).collect()
        };
        let mut hosts = Self {
            states: priority.endpoints.iter().map(|e| e.health).collect(),
            weights: (cluster.policy == Policy::ClientSideWeightedRoundRobin)
                .then(|| reported_weights(&reports()).into()),
            configured: Arc::new(priority.clone()),
            places: places.into(),
            localities,
            has_local_locality,
            even: false,
        };
        let mut weights = (0..hosts.len()).map(|host| hosts.weight(host));
        let first = weights.next();
        hosts.even = weights.all(|weight| Some(weight) == first);
        hosts
    }

    /// The same hosts, some of them with another health.
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

    /// How many hosts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.configured.endpoints.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.configured.endpoints.is_empty()
    }

    /// A host as configured.
    #[must_use]
    pub fn endpoint(&self, host: usize) -> Option<&Endpoint> {
        self.configured.endpoints.get(host)
    }

    /// The health of a host now; unhealthy for a number that no host has.
    #[must_use]
    pub fn health(&self, host: usize) -> Health {
        const NOBODY: Health = Health::from_status(crate::model::HealthStatus::Unhealthy);
        self.states.get(host).copied().unwrap_or(NOBODY)
    }

    /// The class of a host now.
    #[must_use]
    pub fn coarse(&self, host: usize) -> Coarse {
        self.health(host).coarse()
    }

    /// The weight of a host: the configured one, or what its reports came to.
    #[must_use]
    pub fn weight(&self, host: usize) -> u32 {
        match &self.weights {
            Some(weights) => weights.get(host).copied().unwrap_or(1),
            None => self.configured_weight(host),
        }
    }

    /// What rendezvous hashing of a session's key goes by: a hash of the address, and the weight.
    pub(crate) fn rendezvous_key(&self, host: usize) -> (u64, u32) {
        let address = self.endpoint(host).map_or("", |e| e.address.as_str());
        (xxh64(address.as_bytes(), 0), self.weight(host))
    }

    /// The weight that counts in [`PriorityHealth`].
    pub(super) fn configured_weight(&self, host: usize) -> u32 {
        self.endpoint(host).map_or(1, |e| e.weight.get())
    }

    /// Whether the hosts of a list take turns by a schedule: they differ in weight, or may do so
    /// under slow start.
    pub(crate) fn scheduled(&self, list: super::HostList<'_>, settings: &super::Settings) -> bool {
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

    /// The place of a host's locality in [`PriorityHosts::localities`].
    #[must_use]
    pub fn locality_of(&self, host: usize) -> Option<usize> {
        let place = self.places.get(self.endpoint(host)?.locality)?;
        place.map(|place| place as usize)
    }

    /// The configured weight of each locality, in balancing order; 0 where there is none.
    pub(super) fn locality_weights(&self) -> Vec<u32> {
        self.localities
            .iter()
            .map(|&at| {
                let locality = self.configured.localities.get(at as usize);
                locality.and_then(|l| l.weight).unwrap_or(0)
            })
            .collect()
    }

    /// Counts of the hosts of a list, by class. They are made before the first report comes in, so
    /// that reported weights do not count.
    pub(super) fn count(
        &self,
        hosts: impl Iterator<Item = usize>,
        cluster: &super::Settings,
    ) -> PriorityHealth {
        PriorityHealth::count(
            hosts.map(|host| (self.health(host), self.configured_weight(host))),
            cluster.weighted_priority_health,
            cluster.overprovisioning_factor,
        )
    }
}

/// Envoy sorts the localities of a priority by name and puts the proxy's own before the others.
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
