//! The load of each priority.

use alloc::{vec, vec::Vec};

use super::{Availability, PriorityHealth, panics};
use crate::model::PanicThreshold;

/// How the traffic of a cluster is spread over its priorities, in whole percent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PriorityLoad {
    /// What each priority could take.
    pub availability: Vec<Availability>,
    /// `min(100, sum of all availabilities)`. Below 100 the loads are scaled up by it.
    pub normalized_total: u32,
    /// What the healthy hosts of each priority get.
    pub healthy: Vec<u32>,
    /// What the degraded hosts of each priority get, after all healthy ones.
    pub degraded: Vec<u32>,
    /// Whether each priority serves from all its hosts.
    pub panic: Vec<bool>,
    /// Every priority panics: loads are by host counts, not by health.
    pub total_panic: bool,
    /// So many first priorities share by host counts since they were alone and all in panic: nothing
    /// that came later was available, see [`filled_load`].
    pub kept: usize,
}

impl PriorityLoad {
    /// What a priority gets in all.
    #[must_use]
    pub fn of_priority(&self, priority: usize) -> u32 {
        let part = |loads: &[u32]| loads.get(priority).copied().unwrap_or(0);
        part(&self.healthy).saturating_add(part(&self.degraded))
    }

    /// Whether a priority serves from all its hosts.
    #[must_use]
    pub fn panics(&self, priority: usize) -> bool {
        self.panic.get(priority).copied().unwrap_or(false)
    }
}

/// Spreads 100 percent over the priorities of a cluster.
///
/// Healthy hosts of all priorities come before any degraded host. When all availabilities together
/// are below 100 they are scaled up; what rounding leaves goes to the first priority that has any.
#[must_use]
pub fn priority_load(priorities: &[PriorityHealth], threshold: PanicThreshold) -> PriorityLoad {
    let availability: Vec<Availability> = priorities
        .iter()
        .map(PriorityHealth::availability)
        .collect();
    let sum: u64 = availability
        .iter()
        .map(|a| u64::from(a.healthy) + u64::from(a.degraded))
        .sum();
    let total = sum.min(100) as u32;

    let (healthy, degraded) = health_based(&availability, total);
    let mut load = PriorityLoad {
        availability,
        normalized_total: total,
        healthy,
        degraded,
        panic: vec![false; priorities.len()],
        total_panic: false,
        kept: 0,
    };
    if threshold.percent() == 0 && total == 0 {
        // Panic is off and nothing is usable: the first priority gets everything and has no host.
        if let Some(first) = load.healthy.first_mut() {
            *first = 100;
        }
        return load;
    }
    load.panic = priorities
        .iter()
        .map(|priority| total != 100 && panics(priority, threshold))
        .collect();
    load.total_panic = !priorities.is_empty() && load.panic.iter().all(|&panic| panic);
    if load.total_panic {
        load.healthy = by_host_count(priorities);
        load.degraded = vec![0; priorities.len()];
    }
    load
}

/// As [`priority_load`], for a balancer that sees its priorities filled one after the other.
///
/// Envoy leaves loads as they are while nothing is available. A balancer with hash tables, and one
/// of a subset, exists before its priorities are filled, so what its first priorities shared in panic stays
/// when a priority joins that is neither available (a small overprovisioning factor) nor in panic.
#[must_use]
pub fn filled_load(priorities: &[PriorityHealth], threshold: PanicThreshold) -> PriorityLoad {
    let mut load = priority_load(priorities, threshold);
    if load.normalized_total > 0 || load.total_panic {
        return load;
    }
    load.kept = load.panic.iter().take_while(|&&panic| panic).count();
    if load.kept > 0 {
        load.healthy = by_host_count(priorities.get(..load.kept).unwrap_or(priorities));
        load.healthy.resize(priorities.len(), 0);
    }
    load
}

fn health_based(availability: &[Availability], total: u32) -> (Vec<u32>, Vec<u32>) {
    let mut rest = 100;
    let mut fill = |part: fn(&Availability) -> u32| -> Vec<u32> {
        availability
            .iter()
            .map(|a| {
                let load = scaled(part(a), total).min(rest);
                rest -= load;
                load
            })
            .collect()
    };
    let mut healthy = fill(|a| a.healthy);
    let mut degraded = fill(|a| a.degraded);
    // Truncation leaves a few units; with nothing usable at all there is nobody to give them to.
    if let Some((load, _)) = pair_up(&mut healthy, availability).find(|(_, a)| a.healthy > 0) {
        *load += rest;
    } else if let Some((load, _)) =
        pair_up(&mut degraded, availability).find(|(_, a)| a.degraded > 0)
    {
        *load += rest;
    }
    (healthy, degraded)
}

fn pair_up<'a>(
    loads: &'a mut [u32],
    availability: &'a [Availability],
) -> impl Iterator<Item = (&'a mut u32, &'a Availability)> {
    loads.iter_mut().zip(availability)
}

const fn scaled(availability: u32, total: u32) -> u32 {
    match (availability * 100).checked_div(total) {
        Some(load) => load,
        None => 0,
    }
}

/// Total panic: by the number of hosts, excluded and unhealthy ones too.
fn by_host_count(priorities: &[PriorityHealth]) -> Vec<u32> {
    let all: u64 = priorities
        .iter()
        .map(|priority| u64::from(priority.hosts))
        .sum();
    let mut loads: Vec<u32> = priorities
        .iter()
        .map(|priority| {
            let share = 100 * u64::from(priority.hosts);
            share.checked_div(all).unwrap_or(0) as u32
        })
        .collect();
    let rest = 100 - loads.iter().sum::<u32>();
    // Without a single host the first priority gets everything, and has nobody to serve it.
    let receiver = priorities
        .iter()
        .position(|priority| priority.hosts > 0)
        .unwrap_or(0);
    if let Some(load) = loads.get_mut(receiver) {
        *load += rest;
    }
    loads
}
