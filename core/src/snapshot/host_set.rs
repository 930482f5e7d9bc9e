//! The hosts of one priority in a set: a whole cluster or a subset.

use alloc::{boxed::Box, sync::Arc, vec, vec::Vec};

use super::{HashTable, HostList, PriorityHosts, Settings, zones::LocalZones};
use crate::{
    load::{HostClass, LocalityHealth, PriorityHealth, ZoneRouting},
    model::CoarseHealth,
};

/// The hosts of one priority in a set, by class and locality.
#[derive(Debug, Clone)]
pub struct HostSet {
    /// Host counts and weights by class.
    pub health: PriorityHealth,
    /// The hash table of hash policies: of the healthy hosts, or of all hosts in panic mode.
    pub table: Option<Arc<HashTable>>,
    /// The hosts by locality, if localities affect the choice.
    pub localities: Option<Box<Localities>>,
    members: Members,
    healthy: Vec<u32>,
    degraded: Vec<u32>,
}

#[derive(Debug, Clone)]
pub(super) enum Members {
    /// All hosts of the priority.
    All(usize),
    /// Some hosts, as sorted indices.
    Listed(Vec<u32>),
}

/// The hosts of a priority by locality, in locality order; empty lists included.
#[derive(Debug, Clone)]
pub struct Localities {
    /// The effective weights under locality weights; `None` without a weight.
    pub weights: Option<EffectiveWeights>,
    /// Zone-aware routing, which applies if no locality has a weight.
    pub zones: Option<Zones>,
    healthy: Vec<Vec<u32>>,
    degraded: Vec<Vec<u32>>,
}

/// The effective weights of localities by class of hosts. A weight of 0 means no requests.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectiveWeights {
    /// The weights for the healthy hosts.
    pub healthy: Vec<f64>,
    /// The weights for the degraded hosts.
    pub degraded: Vec<f64>,
}

/// Zone-aware routing of a priority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zones {
    /// The routing.
    pub routing: ZoneRouting,
    /// The percentage of requests with zone-aware routing, 0 to 100.
    pub enabled: u32,
    /// Whether the local cluster is in panic mode, which disables zone-aware routing.
    pub local_panic: bool,
    /// The shares of the local zone in ten-thousandths: of the local cluster, then of the healthy hosts. Both
    /// are 0 if it has no hosts.
    pub local_parts: (u64, u64),
}

/// The host list of a priority that serves a request (`LoadBalancerBase::HostsSource` in Envoy).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HostsSource {
    /// All hosts: the priority is in panic mode.
    All,
    /// The hosts of a class.
    Class(HostClass),
    /// The hosts of a class in one locality, by its index in locality order.
    Locality(HostClass, usize),
}

/// The values that the hosts of a priority in a set are built from.
#[derive(Clone, Copy)]
pub(super) struct HostSetContext<'a> {
    pub(super) settings: &'a Settings,
    pub(super) hosts: &'a PriorityHosts,
    /// The local cluster; only for priority 0 under zone-aware routing.
    pub(super) local: Option<&'a LocalZones>,
    /// How configured locality weights apply in this set.
    pub(super) weights: LocalityWeights,
}

/// How configured locality weights apply in a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LocalityWeights {
    /// Unchanged.
    Configured,
    /// Multiplied by the share of the locality's hosts in the set, rounded.
    Scaled,
    /// Ignored.
    Ignored,
}

impl HostSet {
    pub(super) fn build(context: &HostSetContext<'_>, members: Members) -> Self {
        let hosts = context.hosts;
        let mut set = Self {
            health: hosts.count(members.list().iter(), context.settings),
            table: None,
            localities: None,
            healthy: Vec::new(),
            degraded: Vec::new(),
            members,
        };
        for host in set.members.list().iter() {
            match hosts.coarse(host) {
                CoarseHealth::Healthy => set.healthy.push(host as u32),
                CoarseHealth::Degraded => set.degraded.push(host as u32),
                CoarseHealth::Unhealthy => {}
            }
        }
        set.localities = set.split(context).map(Box::new);
        set
    }

    /// The same set after these hosts changed their health; each host occurs once.
    pub(super) fn updated(
        &self,
        context: &HostSetContext<'_>,
        before: &PriorityHosts,
        changed: &[usize],
    ) -> Self {
        /// For many changed hosts, building the lists again is cheaper than moving hosts one by
        /// one.
        const MANY: usize = 16;
        if changed.len() > MANY {
            return Self::build(context, self.members.clone());
        }
        let mut set = Self {
            health: self.health,
            table: None,
            localities: None,
            members: self.members.clone(),
            healthy: self.healthy.clone(),
            degraded: self.degraded.clone(),
        };
        for &host in changed.iter().filter(|&&host| self.members.contain(host)) {
            let (old, new) = (before.health(host), context.hosts.health(host));
            set.health
                .recount(old, new, context.hosts.configured_weight(host));
            let coarse = new.coarse();
            set_listed(
                &mut set.healthy,
                host as u32,
                coarse == CoarseHealth::Healthy,
            );
            set_listed(
                &mut set.degraded,
                host as u32,
                coarse == CoarseHealth::Degraded,
            );
        }
        set.localities = set.split(context).map(Box::new);
        set
    }

    /// All hosts of the priority in the set, whatever their health.
    #[must_use]
    pub fn members(&self) -> HostList<'_> {
        self.members.list()
    }

    fn of_class(&self, class: HostClass) -> HostList<'_> {
        HostList::listed(match class {
            HostClass::Healthy => &self.healthy,
            HostClass::Degraded => &self.degraded,
        })
    }

    /// The hosts of a source.
    #[must_use]
    pub fn list(&self, source: HostsSource) -> HostList<'_> {
        match source {
            HostsSource::All => self.members(),
            HostsSource::Class(class) => self.of_class(class),
            HostsSource::Locality(class, index) => match &self.localities {
                Some(localities) => localities.list(class, index),
                None => HostList::EMPTY,
            },
        }
    }

    /// The weight of each locality in this set, in locality order.
    pub(super) fn weights(&self, context: &HostSetContext<'_>) -> Vec<u32> {
        let mut weights = context.hosts.locality_weights();
        match context.weights {
            LocalityWeights::Configured => {}
            LocalityWeights::Ignored => weights.clear(),
            LocalityWeights::Scaled => {
                let all = by_locality(context.hosts, HostList::all(context.hosts.len()));
                let own = by_locality(context.hosts, self.members());
                for (weight, (own, all)) in weights.iter_mut().zip(own.iter().zip(&all)) {
                    *weight = scaled(*weight, own.len(), all.len());
                }
            }
        }
        weights
    }

    fn split(&self, context: &HostSetContext<'_>) -> Option<Localities> {
        // Tables have the weights of localities in their entries, and `ThreadAwareLoadBalancerBase` has no
        // zone-aware routing.
        if context.settings.policy.hashes() {
            return None;
        }
        let weighted = context.settings.locality_lb.is_weighted();
        let zone_aware = context
            .settings
            .locality_lb
            .zone_aware()
            .copied()
            .unwrap_or_default();
        let weights = if weighted {
            self.weights(context)
        } else {
            Vec::new()
        };
        let has_weight = weights.iter().any(|&weight| weight > 0);
        let hosts = context.hosts;
        let local = context.local.filter(|_| hosts.localities.len() > 1);
        if !has_weight && local.is_none() {
            return None;
        }
        let healthy = by_locality(hosts, HostList::listed(&self.healthy));
        let degraded = by_locality(hosts, HostList::listed(&self.degraded));
        let all = by_locality(hosts, self.members());
        let effective = |eligible: &[Vec<u32>]| -> Vec<f64> {
            let sizes = weights.iter().zip(eligible.iter().zip(&all));
            sizes
                .map(|(&weight, (eligible, all))| {
                    let excluded = all.iter().filter(|&&h| hosts.health(h as usize).excluded());
                    let health = LocalityHealth {
                        weight,
                        eligible: eligible.len() as u32,
                        total: all.len() as u32,
                        excluded: excluded.count() as u32,
                    };
                    health.effective_weight(context.settings.overprovisioning_factor)
                })
                .collect()
        };
        Some(Localities {
            weights: has_weight.then(|| EffectiveWeights {
                healthy: effective(&healthy),
                degraded: effective(&degraded),
            }),
            zones: local.map(|local| {
                let (routing, local_parts) = local.routing(&zone_aware, hosts, &healthy);
                Zones {
                    routing,
                    enabled: zone_aware.routing_enabled,
                    local_panic: local.panics(context.settings.panic_threshold),
                    local_parts,
                }
            }),
            healthy,
            degraded,
        })
    }
}

impl Members {
    fn contain(&self, host: usize) -> bool {
        match self {
            Self::All(count) => host < *count,
            Self::Listed(list) => list.binary_search(&(host as u32)).is_ok(),
        }
    }

    fn list(&self) -> HostList<'_> {
        match self {
            Self::All(count) => HostList::all(*count),
            Self::Listed(list) => HostList::listed(list),
        }
    }
}

/// Adds a host to an ascending list, or removes it.
fn set_listed(list: &mut Vec<u32>, host: u32, listed: bool) {
    match (list.binary_search(&host), listed) {
        (Err(at), true) => list.insert(at, host),
        (Ok(at), false) => {
            list.remove(at);
        }
        _ => {}
    }
}

impl Localities {
    /// The number of localities.
    #[must_use]
    pub fn count(&self) -> usize {
        self.healthy.len()
    }

    /// The effective weights for a class; `None` if no locality has a weight above 0.
    #[must_use]
    pub fn weights(&self, class: HostClass) -> Option<&[f64]> {
        let weights = self.weights.as_ref()?;
        let weights = match class {
            HostClass::Healthy => &weights.healthy,
            HostClass::Degraded => &weights.degraded,
        };
        Some(weights.as_slice()).filter(|weights| weights.iter().any(|&weight| weight > 0.0))
    }

    /// The hosts of a class in one locality.
    #[must_use]
    pub fn list(&self, class: HostClass, index: usize) -> HostList<'_> {
        let lists = match class {
            HostClass::Healthy => &self.healthy,
            HostClass::Degraded => &self.degraded,
        };
        lists
            .get(index)
            .map_or(HostList::EMPTY, |list| HostList::listed(list))
    }
}

/// The hosts of a list by locality index.
fn by_locality(hosts: &PriorityHosts, list: HostList<'_>) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); hosts.localities.len()];
    for host in list.iter() {
        let index = hosts.locality_of(host).and_then(|at| lists.get_mut(at));
        if let Some(list) = index {
            list.push(host as u32);
        }
    }
    lists
}

/// Envoy multiplies in integers and divides in single precision.
fn scaled(weight: u32, own: usize, all: usize) -> u32 {
    if all == 0 {
        return 0;
    }
    // Single precision, as in Envoy: large weights round differently in double
    // (`HostSubsetImpl::determineLocalityWeights`).
    let product = u64::from(weight).wrapping_mul(own as u64) as f32;
    libm::roundf(product / all as f32) as u32
}
