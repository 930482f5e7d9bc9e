//! The hosts of a fleet: each address once, in whatever clusters and configurations it is.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::{String, ToString as _},
    vec::Vec,
};
use core::fmt;

use spillgate_core::{
    model::{CoarseHealth, Locality},
    snapshot::{ClusterId, HostRef, Snapshot},
};

use super::{CallerTarget, CapacityRule, Fleet, FleetZone};
use crate::{
    fault::{Piece, SpecFault},
    loss::matching,
};

/// The code of faults about hosts behind a relay.
pub(super) const INGRESS: &str = "fleet/ingress";

/// A host of the fleet.
#[derive(Debug, Clone, PartialEq)]
pub struct FleetHost {
    /// Its address.
    pub address: String,
    /// Its locality.
    pub locality: Locality,
    /// The index of its zone.
    pub zone: usize,
    /// Its cluster and priority; `None` if they depend on the cluster or on the caller.
    pub place: Option<PriorityPlace>,
    /// Its best health: it can be in several clusters.
    pub health: CoarseHealth,
    /// Its weight.
    pub weight: u32,
    /// The requests per second that it can take; `None` if not known, and for a relay.
    pub capacity: Option<f64>,
    /// Whether it passes its requests on to hosts of its zone, such as the ingress of a mesh zone.
    pub relays: bool,
}

/// A priority of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PriorityPlace {
    /// The cluster that has the host.
    pub cluster: String,
    /// The priority in it, from 0.
    pub priority: usize,
}

/// `shop P0`.
impl fmt::Display for PriorityPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} P{}", self.cluster, self.priority)
    }
}

/// Hosts that only their addresses distinguish.
#[derive(Debug, Clone, PartialEq)]
pub struct EqualHosts {
    /// Their cluster and priority; `None` if they depend on the cluster or on the caller.
    pub place: Option<PriorityPlace>,
    /// Their locality.
    pub locality: Locality,
    /// The index of their zone.
    pub zone: usize,
    /// Their health.
    pub health: CoarseHealth,
    /// The weight of each.
    pub weight: u32,
    /// The requests per second that each can take; `None` if not known.
    pub capacity: Option<f64>,
    /// Whether they pass their requests on to hosts of their zone.
    pub relays: bool,
    /// Their number.
    pub hosts: usize,
    /// The address of the first.
    pub example: String,
}

/// All hosts and zones.
#[derive(Debug, Clone, Default)]
pub(super) struct HostTable {
    pub(super) hosts: Vec<FleetHost>,
    pub(super) zones: Vec<FleetZone>,
    pub(super) classes: Vec<EqualHosts>,
    /// The class of each host.
    pub(super) class_of: Vec<usize>,
    /// The priorities with hosts that other priorities have, too.
    pub(super) shared: BTreeSet<PriorityPlace>,
    by_address: BTreeMap<String, usize>,
}

/// The place of each host of a snapshot in the table.
#[derive(Debug, Clone, Default)]
pub(super) struct HostIndex {
    priorities: BTreeMap<(ClusterId, usize), Vec<usize>>,
}

impl HostIndex {
    pub(super) fn get(&self, host: HostRef) -> Option<usize> {
        let priority = self.priorities.get(&(host.cluster, host.priority))?;
        priority.get(host.host).copied()
    }

    /// The hosts of the snapshot that are these hosts of the table.
    pub(super) fn of_table<'i>(
        &'i self,
        is: &'i dyn Fn(usize) -> bool,
    ) -> impl Iterator<Item = HostRef> + 'i {
        self.priorities
            .iter()
            .flat_map(move |(&(cluster, priority), hosts)| {
                let hosts = hosts.iter().enumerate().filter(move |(_, at)| is(**at));
                hosts.map(move |(host, _)| HostRef {
                    cluster,
                    priority,
                    host,
                })
            })
    }
}

impl HostTable {
    /// The zones of the callers come first.
    pub(super) fn new(fleet: &Fleet) -> Self {
        let mut table = Self::default();
        for class in &fleet.classes {
            table.zone(FleetZone::of(&class.locality));
        }
        table
    }

    /// The index of a zone.
    fn zone(&mut self, zone: FleetZone) -> usize {
        let known = self.zones.iter().position(|known| *known == zone);
        known.unwrap_or_else(|| {
            self.zones.push(zone);
            self.zones.len() - 1
        })
    }

    /// Adds the hosts of some clusters of a snapshot, also those of their members.
    pub(super) fn add(
        &mut self,
        fleet: &Fleet,
        snapshot: &Snapshot,
        targets: &[CallerTarget],
    ) -> HostIndex {
        let mut index = HostIndex::default();
        let clusters = targets.iter().map(|target| target.cluster.as_str());
        let owners = clusters.filter_map(|name| snapshot.cluster_id(name));
        for owner in owners.flat_map(|id| snapshot.owners(id).collect::<Vec<_>>()) {
            let Some(plain) = snapshot.plain(owner) else {
                continue;
            };
            let name = snapshot.cluster(owner).map_or("", |of| of.name.as_str());
            for (priority, hosts) in plain.priorities.iter().enumerate() {
                let key = (owner, priority);
                if index.priorities.contains_key(&key) {
                    continue;
                }
                let localities = hosts.configured.localities.iter();
                let zones: Vec<usize> = localities
                    .map(|of| self.zone(FleetZone::of(&of.locality)))
                    .collect();
                let mut all = Vec::with_capacity(hosts.len());
                for host in 0..hosts.len() {
                    let endpoint = hosts.endpoint(host);
                    let place = endpoint.map_or(0, |of| of.locality);
                    let locality = hosts.configured.localities.get(place);
                    let address = endpoint.map(|of| of.address.as_str()).unwrap_or_default();
                    let zone = match fleet.zones.get(address) {
                        Some(zone) => self.zone(zone.clone()),
                        None => zones.get(place).copied().unwrap_or(0),
                    };
                    all.push(self.host(FleetHost {
                        address: address.into(),
                        locality: locality.map(|of| of.locality.clone()).unwrap_or_default(),
                        zone,
                        place: Some(PriorityPlace {
                            cluster: name.into(),
                            priority,
                        }),
                        health: hosts.coarse(host),
                        weight: hosts.weight(host),
                        capacity: None,
                        relays: fleet.relays.contains(address),
                    }));
                }
                index.priorities.insert(key, all);
            }
        }
        index
    }

    fn host(&mut self, host: FleetHost) -> usize {
        if let Some(&at) = self.by_address.get(&host.address) {
            if let Some(known) = self.hosts.get_mut(at) {
                if known.place != host.place {
                    self.shared.extend(known.place.take());
                    self.shared.extend(host.place);
                }
                known.health = better(known.health, host.health);
            }
            return at;
        }
        self.by_address
            .insert(host.address.clone(), self.hosts.len());
        self.hosts.push(host);
        self.hosts.len() - 1
    }

    /// Gives all hosts the same capacity.
    pub(super) fn set_all(&mut self, rps: f64) {
        for host in self.hosts.iter_mut().filter(|host| !host.relays) {
            host.capacity = Some(rps);
        }
    }

    /// Gives the hosts that a rule selects in a snapshot their capacity.
    ///
    /// # Errors
    /// If it selects none, or only relays.
    pub(super) fn apply(
        &mut self,
        rule: &CapacityRule,
        snapshot: &Snapshot,
        index: &HostIndex,
    ) -> Result<(), SpecFault> {
        let Some(selector) = &rule.selector else {
            self.set_all(rule.rps);
            return Ok(());
        };
        let all: Vec<HostRef> = index.of_table(&|_| true).collect();
        let mut applies = false;
        for host in matching(snapshot, &all, "", selector)? {
            let at = index.get(host);
            let host = at.and_then(|at| self.hosts.get_mut(at));
            if let Some(host) = host.filter(|host| !host.relays) {
                host.capacity = Some(rule.rps);
                applies = true;
            }
        }
        if applies {
            return Ok(());
        }
        let text = selector.to_string();
        let message = "only ingresses, which pass their requests on, match";
        let expected = "hosts behind them, of which some callers know the addresses";
        Err(SpecFault::new(
            INGRESS,
            Piece::whole(&text),
            message,
            expected,
        ))
    }

    /// The indices of the zones with a name and hosts.
    pub(super) fn zones_with_hosts(&self) -> Vec<usize> {
        let used: BTreeSet<usize> = self.hosts.iter().map(|host| host.zone).collect();
        let named = |at: &usize| {
            self.zones
                .get(*at)
                .is_some_and(|zone| !zone.zone.is_empty())
        };
        used.into_iter().filter(named).collect()
    }

    /// Finds the classes of the hosts, once their capacities are known.
    pub(super) fn classify(&mut self) {
        let mut known: BTreeMap<_, usize> = BTreeMap::new();
        for host in &self.hosts {
            let health = match host.health {
                CoarseHealth::Healthy => 0,
                CoarseHealth::Degraded => 1,
                CoarseHealth::Unhealthy => 2,
            };
            let capacity = host.capacity.map(f64::to_bits);
            let own = (host.zone, &host.locality, health, host.weight);
            let key = (&host.place, own, capacity, host.relays);
            let class = *known.entry(key).or_insert_with(|| {
                self.classes.push(EqualHosts {
                    place: host.place.clone(),
                    locality: host.locality.clone(),
                    zone: host.zone,
                    health: host.health,
                    weight: host.weight,
                    capacity: host.capacity,
                    relays: host.relays,
                    hosts: 0,
                    example: host.address.clone(),
                });
                self.classes.len() - 1
            });
            self.class_of.push(class);
            if let Some(class) = self.classes.get_mut(class) {
                class.hosts += 1;
            }
        }
    }
}

const fn better(one: CoarseHealth, other: CoarseHealth) -> CoarseHealth {
    match (one, other) {
        (CoarseHealth::Healthy, _) | (_, CoarseHealth::Healthy) => CoarseHealth::Healthy,
        (CoarseHealth::Degraded, _) | (_, CoarseHealth::Degraded) => CoarseHealth::Degraded,
        _ => CoarseHealth::Unhealthy,
    }
}
