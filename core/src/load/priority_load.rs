//! The load of each priority (`LoadBalancerBase::recalculatePerPriorityState` and
//! `recalculatePerPriorityPanic`).
//!
//! With the availabilities `A` (healthy) and `D` (degraded) of all priorities:
//!
//! - `total = min(100, sum of A + sum of D)`
//! - `load[i] = min(left, A[i] * 100 / total)`, for the healthy hosts of P0, P1, and so on, then
//!   for the degraded hosts with `D`.
//! - The remainder from truncation goes to the first priority with `A > 0`; without one, to
//!   the first with `D > 0`.
//! - A priority is in panic mode if `total` is below 100 and its usable hosts are below the
//!   threshold. The loads stay as they are.
//! - If all priorities are in panic mode (total panic), `load[i] = 100 * hosts[i] / all hosts`, and
//!   the remainder goes to the first priority with hosts.
//!
//! A restored host can reduce its priority's load, if it ends total panic: in total panic the
//! numbers of hosts decide, afterwards their health. It is Envoy's rule; the monotonicity property
//! in `core/tests/priority_load.rs` states the exception.

use alloc::{vec, vec::Vec};

use super::{Availability, PriorityHealth, panics};
use crate::model::PanicThreshold;

/// The loads of the priorities of a cluster, in whole percent. Each list has one entry for each
/// priority.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PriorityLoad {
    /// The availability of each priority.
    pub availability: Vec<Availability>,
    /// The total availability, `min(100, sum of all availabilities)`. Below 100 the loads are
    /// scaled up.
    pub normalized_total: u32,
    /// The load of the healthy hosts of each priority, 0 to 100.
    pub healthy: Vec<u32>,
    /// The load of the degraded hosts of each priority, 0 to 100. Together with the healthy loads
    /// they sum to 100.
    pub degraded: Vec<u32>,
    /// Whether each priority is in panic mode, so that it uses all of its hosts.
    pub panic: Vec<bool>,
    /// Whether all priorities are in panic mode (total panic): the loads follow the host counts.
    pub total_panic: bool,
    /// The number of first priorities whose loads still follow the host counts, from the time when
    /// they were in panic mode and later priorities did not exist; 0 in most clusters. See
    /// [`filled_load`].
    pub frozen_priorities: usize,
}

impl PriorityLoad {
    /// The load of a priority: healthy and degraded hosts together, 0 to 100.
    #[must_use]
    pub fn of_priority(&self, priority: usize) -> u32 {
        let part = |loads: &[u32]| loads.get(priority).copied().unwrap_or(0);
        part(&self.healthy).saturating_add(part(&self.degraded))
    }

    /// Whether a priority is in panic mode; false for a priority that does not exist.
    #[must_use]
    pub fn panics(&self, priority: usize) -> bool {
        self.panic.get(priority).copied().unwrap_or(false)
    }
}

/// Computes the loads of all priorities.
///
/// The healthy hosts of all priorities serve before any degraded host. If the total availability is
/// below 100, the loads are scaled up; the remainder from rounding goes to the first priority with
/// availability.
///
/// # Examples
/// P0 with 10, P1 with 20 and P2 with 10 usable hosts of 100 have 14, 28 and 14 percent
/// availability.
/// ```
/// use spillgate_core::load::{PriorityHealth, priority_load};
/// use spillgate_core::model::PanicThreshold;
///
/// let priority = |healthy| PriorityHealth {
///     hosts: 100,
///     healthy,
///     ..PriorityHealth::default()
/// };
/// let load = priority_load(&[10, 20, 10].map(priority), PanicThreshold::OFF);
/// assert_eq!(load.normalized_total, 56);
/// assert_eq!(load.healthy, [25, 50, 25]);
///
/// // With the default threshold, all priorities are in panic mode.
/// let load = priority_load(&[10, 20, 10].map(priority), PanicThreshold::DEFAULT);
/// assert!(load.total_panic);
/// assert_eq!(load.healthy, [34, 33, 33]);
/// ```
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
        frozen_priorities: 0,
    };
    if threshold.percent() == 0 && total == 0 {
        // No panic mode and no usable host: P0 gets all requests and has no host for them.
        if let Some(first) = load.healthy.first_mut() {
            *first = 100;
        }
        return load;
    }
    load.panic = priorities
        .iter()
        // A total of 100 can carry all requests, so no priority is in panic mode, however few of its hosts
        // are usable (`recalculatePerPriorityPanic`).
        .map(|priority| total != 100 && panics(priority, threshold))
        .collect();
    // One priority outside of panic mode suffices to keep the loads by health.
    load.total_panic = !priorities.is_empty() && load.panic.iter().all(|&panic| panic);
    if load.total_panic {
        load.healthy = by_host_count(priorities);
        load.degraded = vec![0; priorities.len()];
    }
    load
}

/// As [`priority_load`], for load balancers whose priorities are added one after the other.
///
/// Envoy keeps the previous loads while the total availability is 0. Load balancers with hash
/// tables, and those of subsets, exist before all priorities are added. If the first priorities are
/// in panic mode and a priority is added that is neither available (a small overprovisioning
/// factor) nor in panic mode, the first priorities keep their shares by host count.
#[must_use]
pub fn filled_load(priorities: &[PriorityHealth], threshold: PanicThreshold) -> PriorityLoad {
    let mut load = priority_load(priorities, threshold);
    if load.normalized_total > 0 || load.total_panic {
        return load;
    }
    load.frozen_priorities = load.panic.iter().take_while(|&&panic| panic).count();
    if load.frozen_priorities > 0 {
        load.healthy = by_host_count(
            priorities
                .get(..load.frozen_priorities)
                .unwrap_or(priorities),
        );
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
    // All healthy hosts before the first degraded one; both are scaled by the same total
    // (`distributeLoad`).
    let mut healthy = fill(|a| a.healthy);
    let mut degraded = fill(|a| a.degraded);
    // Truncation leaves a remainder. With no availability at all, no priority gets it.
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

/// Total panic: shares by the number of hosts, including excluded and unhealthy hosts.
fn by_host_count(priorities: &[PriorityHealth]) -> Vec<u32> {
    let all: u64 = priorities
        .iter()
        .map(|priority| u64::from(priority.hosts))
        .sum();
    let mut loads: Vec<u32> = priorities
        .iter()
        .map(|priority| {
            // All hosts count, excluded ones too (`recalculateLoadInTotalPanic`).
            let share = 100 * u64::from(priority.hosts);
            share.checked_div(all).unwrap_or(0) as u32
        })
        .collect();
    let rest = 100 - loads.iter().sum::<u32>();
    // Without any host, P0 gets all requests and has no host for them.
    let receiver = priorities
        .iter()
        .position(|priority| priority.hosts > 0)
        .unwrap_or(0);
    if let Some(load) = loads.get_mut(receiver) {
        *load += rest;
    }
    loads
}
