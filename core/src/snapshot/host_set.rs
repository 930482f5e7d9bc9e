//! A priority of a set of hosts: a whole cluster's or a subset's.

use alloc::{boxed::Box, sync::Arc, vec, vec::Vec};

use super::{HashTable, HostList, PriorityHosts, Settings, zones::LocalZones};
use crate::{
    load::{HostClass, LocalityHealth, PriorityHealth, ZoneRouting},
    model::Coarse,
};

/// The hosts of one priority of a set, sorted by class and locality.
#[derive(Debug, Clone)]
pub struct HostSet {
    /// Counts and weights by class.
    pub health: PriorityHealth,
    /// The table of hash policies; of the healthy hosts, or of all in panic.
    pub table: Option<Arc<HashTable>>,
    /// How the localities share the traffic, where they may.
    pub localities: Option<Box<Localities>>,
    members: Members,
    healthy: Vec<u32>,
    degraded: Vec<u32>,
}

#[derive(Debug, Clone)]
pub(super) enum Members {
    /// Every host of the priority.
    All(usize),
    /// Some of them.
    Listed(Vec<u32>),
}

/// The hosts of a priority by locality; lists stand in balancing order, empty ones too.
#[derive(Debug, Clone)]
pub struct Localities {
    /// Their effective weights, where weights decide.
    pub weights: Option<EffectiveWeights>,
    /// Nearness, which decides where no locality has a weight.
    pub zones: Option<Zones>,
    healthy: Vec<Vec<u32>>,
    degraded: Vec<Vec<u32>>,
}

/// The effective weights of localities by the class of their hosts. Those of 0 get nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectiveWeights {
    /// For the healthy hosts.
    pub healthy: Vec<f64>,
    /// For the degraded ones.
    pub degraded: Vec<f64>,
}

/// Zone-aware routing of a priority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zones {
    /// Where the traffic goes.
    pub routing: ZoneRouting,
    /// How many percent of the requests it applies to.
    pub enabled: u32,
    /// Whether the local cluster itself panics, which switches it off.
    pub local_panic: bool,
}

/// Which list of hosts of a priority serves a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// All hosts: the priority is in panic.
    All,
    /// The hosts of a class.
    Class(HostClass),
    /// The hosts of a class in one locality, by its place in balancing order.
    Locality(HostClass, usize),
}

/// What a priority of a set is built from.
#[derive(Clone, Copy)]
pub(super) struct HostSetContext<'a> {
    pub(super) settings: &'a Settings,
    pub(super) hosts: &'a PriorityHosts,
    /// The local cluster, for priority 0 under zone-aware routing.
    pub(super) local: Option<&'a LocalZones>,
    /// How the configured weights of localities count in this set.
    pub(super) weights: LocalityWeights,
}

/// How a set treats the configured weights of localities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LocalityWeights {
    /// As they are.
    Configured,
    /// Multiplied by the part of the locality's hosts that is in the set, rounded.
    Scaled,
    /// Not at all.
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
                Coarse::Healthy => set.healthy.push(host as u32),
                Coarse::Degraded => set.degraded.push(host as u32),
                Coarse::Unhealthy => {}
            }
        }
        set.localities = set.split(context).map(Box::new);
        set
    }

    /// The same set after these hosts have changed their health; each stands once.
    pub(super) fn updated(
        &self,
        context: &HostSetContext<'_>,
        before: &PriorityHosts,
        changed: &[usize],
    ) -> Self {
        /// Sorting all hosts again is cheaper than moving many, one by one.
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
            place(&mut set.healthy, host as u32, coarse == Coarse::Healthy);
            place(&mut set.degraded, host as u32, coarse == Coarse::Degraded);
        }
        set.localities = set.split(context).map(Box::new);
        set
    }

    /// All hosts of the priority that are in the set, whatever their health.
    #[must_use]
    pub fn members(&self) -> HostList<'_> {
        self.members.list()
    }

    /// The hosts that serve a class.
    #[must_use]
    pub fn hosts(&self, class: HostClass, panic: bool) -> HostList<'_> {
        if panic {
            return self.members();
        }
        self.of_class(class)
    }

    fn of_class(&self, class: HostClass) -> HostList<'_> {
        HostList::listed(match class {
            HostClass::Healthy => &self.healthy,
            HostClass::Degraded => &self.degraded,
        })
    }

    /// The hosts that a source stands for.
    #[must_use]
    pub fn list(&self, source: Source) -> HostList<'_> {
        match source {
            Source::All => self.members(),
            Source::Class(class) => self.of_class(class),
            Source::Locality(class, place) => match &self.localities {
                Some(localities) => localities.list(class, place),
                None => HostList::EMPTY,
            },
        }
    }

    /// Each locality's weight in this set, in balancing order.
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
        if context.settings.policy.hashes() {
            return None;
        }
        let weighted = context.settings.locality_lb.is_weighted();
        let zone_aware = context.settings.locality_lb.zone_aware();
        let zone_aware = zone_aware.copied().unwrap_or_default();
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
            zones: local.map(|local| Zones {
                routing: local.routing(&zone_aware, hosts, &healthy),
                enabled: zone_aware.routing_enabled,
                local_panic: local.panics(context.settings.panic_threshold),
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

/// Sees to it that a host is in an ascending list, or that it is not.
fn place(list: &mut Vec<u32>, host: u32, is_in: bool) {
    match (list.binary_search(&host), is_in) {
        (Err(at), true) => list.insert(at, host),
        (Ok(at), false) => {
            list.remove(at);
        }
        _ => {}
    }
}

impl Localities {
    /// How many localities there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.healthy.len()
    }

    /// The effective weights for a class; `None` where no locality has any.
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
    pub fn list(&self, class: HostClass, place: usize) -> HostList<'_> {
        let lists = match class {
            HostClass::Healthy => &self.healthy,
            HostClass::Degraded => &self.degraded,
        };
        lists
            .get(place)
            .map_or(HostList::EMPTY, |list| HostList::listed(list))
    }
}

/// The hosts of a list by the place of their locality.
fn by_locality(hosts: &PriorityHosts, list: HostList<'_>) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); hosts.localities.len()];
    for host in list.iter() {
        let place = hosts.locality_of(host).and_then(|at| lists.get_mut(at));
        if let Some(list) = place {
            list.push(host as u32);
        }
    }
    lists
}

/// Envoy multiplies in whole numbers and divides in single precision.
fn scaled(weight: u32, own: usize, all: usize) -> u32 {
    if all == 0 {
        return 0;
    }
    let product = u64::from(weight).wrapping_mul(own as u64) as f32;
    libm::roundf(product / all as f32) as u32
}
