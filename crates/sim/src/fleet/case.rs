//! The loads of one case: with all zones, or without some of them.

use alloc::vec::Vec;

use spillgate_core::model::CoarseHealth;

use super::{FleetHost, PriorityPlace, TrafficPrice, hosts::HostTable, loads::CaseLoads};

/// Bytes per second to bytes per hour.
const HOUR: f64 = 3600.0;

/// The bytes of a GB, by which traffic is billed.
const GB: f64 = 1e9;

/// The loads without some zones.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseReport {
    /// The indices of the lost zones; empty for the present.
    pub lost: Vec<usize>,
    /// All requests per second.
    pub requests: f64,
    /// The requests per second that find no host.
    pub no_host: f64,
    /// The requests per second to hosts that are lost or unhealthy, in panic mode.
    pub failing: f64,
    /// The loads of the zones, in the order of [`FleetReport::zones`](super::FleetReport::zones).
    pub zones: Vec<ZoneDemand>,
    /// The loads of the priorities, by cluster and number.
    pub priorities: Vec<PriorityDemand>,
    /// The loads of the host classes, in the order of [`FleetReport::classes`](super::FleetReport::classes).
    pub classes: Vec<HostClassLoad>,
    /// The traffic between zones.
    pub flows: Vec<FleetFlow>,
    /// The host with the highest utilization; without capacities, with the highest load.
    pub worst: Option<WorstHost>,
    /// The highest ratio of the load of a usable host to the mean of the usable hosts of its priority; `None` if no
    /// usable host gets requests.
    pub imbalance: Option<f64>,
}

/// The load of the hosts of a zone.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ZoneDemand {
    /// The number of usable hosts.
    pub usable: usize,
    /// The requests per second.
    pub rps: f64,
    /// What the usable hosts can take together; `None` if the capacity of one is not known.
    pub capacity: Option<f64>,
    /// The highest utilization of a usable host, as a ratio; `None` if it is not known.
    pub highest: Option<f64>,
    /// The requests per second through relays: which hosts of the zone get them is not known.
    pub relayed: f64,
}

/// The load of a priority.
#[derive(Debug, Clone, PartialEq)]
pub struct PriorityDemand {
    /// The priority.
    pub place: PriorityPlace,
    /// The requests per second.
    pub rps: f64,
    /// Whether it is in panic mode for callers that send requests to it.
    pub panic: bool,
    /// The number of usable hosts; `None` if the callers disagree about its hosts.
    pub usable: Option<usize>,
    /// What they can take together; `None` if that is not known.
    pub capacity: Option<f64>,
}

/// The load of the hosts of a class.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HostClassLoad {
    /// The requests per second of all its hosts.
    pub rps: f64,
    /// The highest load of one of them.
    pub highest: f64,
    /// Whether the hosts are healthy or degraded, and not lost.
    pub usable: bool,
}

/// The traffic from the callers of a zone to the hosts of a zone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FleetFlow {
    /// The index of the callers' zone.
    pub from: usize,
    /// The index of the hosts' zone.
    pub to: usize,
    /// Whether the zones differ; `None` if one has no name.
    pub crosses: Option<bool>,
    /// The requests per second.
    pub rps: f64,
    /// Requests and responses in GB (10^9 bytes) per hour; `None` if their size is not known.
    pub gb_per_hour: Option<f64>,
    /// The cost per hour; `None` without a price or a size.
    pub cost_per_hour: Option<f64>,
}

/// The host with the highest utilization or load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorstHost {
    /// Its index.
    pub host: usize,
    /// Its requests per second.
    pub rps: f64,
    /// Its utilization as a ratio; `None` without a capacity.
    pub utilization: Option<f64>,
}

impl CaseReport {
    pub(super) fn new(loads: &CaseLoads, table: &HostTable, prices: &[TrafficPrice]) -> Self {
        let classes = classes(loads, table);
        let mut report = Self {
            lost: loads.lost.clone(),
            requests: loads.requests,
            no_host: loads.no_host,
            failing: 0.0,
            zones: alloc::vec![ZoneDemand { capacity: Some(0.0), ..ZoneDemand::default() }; table.zones.len()],
            priorities: priorities(loads, table),
            imbalance: imbalance(&classes, table),
            classes,
            flows: flows(loads, table, prices),
            worst: None,
        };
        for (at, (host, &rps)) in table.hosts.iter().zip(&loads.hosts).enumerate() {
            report.add(at, host, rps);
        }
        report
    }

    fn add(&mut self, at: usize, host: &FleetHost, rps: f64) {
        let usable = is_usable(host, &self.lost);
        if !usable {
            self.failing += rps;
        }
        let Some(zone) = self.zones.get_mut(host.zone) else {
            return;
        };
        zone.rps += rps;
        if host.relays {
            zone.relayed += rps;
        }
        if !usable || host.relays {
            return;
        }
        zone.usable += 1;
        zone.capacity = zone.capacity.zip(host.capacity).map(|(sum, of)| sum + of);
        let utilization = host.capacity.map(|capacity| rps / capacity);
        zone.highest = larger(zone.highest, utilization);
        let measure = |utilization: Option<f64>, rps| utilization.unwrap_or(rps);
        let worst = self
            .worst
            .map(|known| measure(known.utilization, known.rps));
        if worst.is_none_or(|worst| measure(utilization, rps) > worst) {
            self.worst = Some(WorstHost {
                host: at,
                rps,
                utilization,
            });
        }
    }

    /// The traffic between different zones in GB per hour; `None` if a size is not known.
    #[must_use]
    pub fn crossing_gb(&self) -> Option<f64> {
        self.sum(|flow| flow.gb_per_hour)
    }

    /// The cost of the traffic between different zones per hour; `None` without prices for it.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        self.sum(|flow| flow.cost_per_hour)
    }

    fn sum(&self, of: impl Fn(&FleetFlow) -> Option<f64>) -> Option<f64> {
        let mut flows = self.flows.iter().filter(|flow| flow.crosses != Some(false));
        flows.try_fold(0.0, |sum, flow| Some(sum + of(flow)?))
    }

    /// The requests per second between different zones.
    #[must_use]
    pub fn crossing_rps(&self) -> f64 {
        let flows = self.flows.iter().filter(|flow| flow.crosses != Some(false));
        flows.fold(0.0, |sum, flow| sum + flow.rps)
    }

    /// Whether relays get requests, so that the loads of single hosts are not known.
    #[must_use]
    pub fn is_relayed(&self) -> bool {
        self.zones.iter().any(|zone| zone.relayed > 0.0)
    }

    /// The highest utilization of a usable host, as a ratio; `None` if it is not known.
    #[must_use]
    pub fn highest(&self) -> Option<f64> {
        if self.is_relayed() {
            return None;
        }
        self.zones
            .iter()
            .fold(None, |most, zone| larger(most, zone.highest))
    }

    /// Whether every request finds a usable host, and no host gets more than its known capacity.
    #[must_use]
    pub fn survives(&self) -> bool {
        self.no_host <= NOTHING && self.panicking() == 0 && !self.is_overloaded()
    }

    /// The number of priorities that are in panic mode for callers that send requests to them.
    #[must_use]
    pub fn panicking(&self) -> usize {
        self.priorities.iter().filter(|of| of.panic).count()
    }

    /// Whether a host or a zone gets more than its known capacity.
    #[must_use]
    pub fn is_overloaded(&self) -> bool {
        let zones = self.zones.iter().filter_map(ZoneDemand::utilization);
        let all = zones.chain(self.highest());
        all.fold(0.0, f64::max) > 1.0 + NOTHING
    }
}

impl ZoneDemand {
    /// The load as a ratio of the capacity; `None` without usable hosts, or if it is not known.
    #[must_use]
    pub fn utilization(&self) -> Option<f64> {
        ratio(self.rps, self.capacity)
    }
}

impl PriorityDemand {
    /// The load as a ratio of the capacity; `None` without usable hosts, or if it is not known.
    #[must_use]
    pub fn utilization(&self) -> Option<f64> {
        ratio(self.rps, self.capacity)
    }
}

/// Smaller figures result from rounding.
const NOTHING: f64 = 1e-9;

fn ratio(rps: f64, capacity: Option<f64>) -> Option<f64> {
    let capacity = capacity.filter(|capacity| *capacity > 0.0);
    capacity.map(|capacity| rps / capacity)
}

fn larger(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}

/// Whether a host can serve requests in a case.
pub(super) fn is_usable(host: &FleetHost, lost: &[usize]) -> bool {
    host.health != CoarseHealth::Unhealthy && !lost.contains(&host.zone)
}

fn classes(loads: &CaseLoads, table: &HostTable) -> Vec<HostClassLoad> {
    let of_zone = |zone| !loads.lost.contains(&zone);
    let usable = table.classes.iter().map(|class| HostClassLoad {
        usable: class.health != CoarseHealth::Unhealthy && of_zone(class.zone) && !class.relays,
        ..HostClassLoad::default()
    });
    let mut classes: Vec<HostClassLoad> = usable.collect();
    for (&class, &rps) in table.class_of.iter().zip(&loads.hosts) {
        if let Some(class) = classes.get_mut(class) {
            class.rps += rps;
            class.highest = class.highest.max(rps);
        }
    }
    classes
}

fn priorities(loads: &CaseLoads, table: &HostTable) -> Vec<PriorityDemand> {
    let all = loads.priorities.iter();
    let demand = all.map(|(place, load)| {
        let own = table
            .classes
            .iter()
            .filter(|class| class.place.as_ref() == Some(place));
        let usable = own.clone().filter(|class| {
            class.health != CoarseHealth::Unhealthy && !loads.lost.contains(&class.zone)
        });
        let capacity = usable.clone().try_fold(0.0, |sum, class| {
            Some(sum + class.capacity? * class.hosts as f64)
        });
        let known = own.count() > 0 && !table.shared.contains(place);
        PriorityDemand {
            place: place.clone(),
            rps: load.rps,
            panic: load.panic,
            usable: known.then(|| usable.map(|class| class.hosts).sum()),
            capacity: capacity.filter(|_| known),
        }
    });
    demand.collect()
}

fn imbalance(classes: &[HostClassLoad], table: &HostTable) -> Option<f64> {
    let mut places: Vec<(&Option<PriorityPlace>, f64, f64, usize)> = Vec::new();
    for (class, load) in table
        .classes
        .iter()
        .zip(classes)
        .filter(|(_, load)| load.usable)
    {
        match places.iter_mut().find(|(place, ..)| *place == &class.place) {
            Some((_, sum, most, hosts)) => {
                *sum += load.rps;
                *most = most.max(load.highest);
                *hosts += class.hosts;
            }
            None => places.push((&class.place, load.rps, load.highest, class.hosts)),
        }
    }
    let ratios = places.iter().filter(|(_, sum, ..)| *sum > 0.0);
    let ratios = ratios.map(|(_, sum, most, hosts)| most * *hosts as f64 / sum);
    ratios.fold(None, |most, ratio| larger(most, Some(ratio)))
}

fn flows(loads: &CaseLoads, table: &HostTable, prices: &[TrafficPrice]) -> Vec<FleetFlow> {
    let flows = loads.flows.iter().filter_map(|(&(from, to), sum)| {
        let (a, b) = (table.zones.get(from)?, table.zones.get(to)?);
        let named = !a.zone.is_empty() && !b.zone.is_empty();
        let gb_per_hour = sum.sized.then_some(sum.bytes * HOUR / GB);
        let price = match (named, from == to) {
            (true, false) => TrafficPrice::of(prices, a, b),
            (true, true) => Some(0.0),
            (false, _) => None,
        };
        Some(FleetFlow {
            from,
            to,
            crosses: named.then_some(from != to),
            rps: sum.rps,
            gb_per_hour,
            cost_per_hour: price.zip(gb_per_hour).map(|(price, gb)| price * gb),
        })
    });
    flows.collect()
}
