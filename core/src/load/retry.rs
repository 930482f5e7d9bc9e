//! Retries that avoid the priorities which were tried before
//! (`envoy.retry_priorities.previous_priorities`).

use alloc::{vec, vec::Vec};

use super::Availability;

/// The loads of a retry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryLoad {
    /// What the healthy hosts of each priority get, in percent.
    pub healthy: Vec<u32>,
    /// What the degraded ones get.
    pub degraded: Vec<u32>,
    /// All priorities had been tried, so they were all let in again.
    pub exclusions_reset: bool,
}

/// The loads without the priorities that are `excluded`. `None`: nothing is available at all, and
/// the original loads hold.
#[must_use]
pub fn load_without(availability: &[Availability], excluded: &[bool]) -> Option<RetryLoad> {
    let left = |reset: bool| -> Vec<Availability> {
        availability
            .iter()
            .enumerate()
            .map(|(priority, a)| {
                let out = !reset && excluded.get(priority).copied().unwrap_or(false);
                if out { Availability::default() } else { *a }
            })
            .collect()
    };
    let total_of = |left: &[Availability]| {
        let sum: u64 = left
            .iter()
            .map(|a| u64::from(a.healthy) + u64::from(a.degraded))
            .sum();
        sum.min(100) as u32
    };
    let mut exclusions_reset = false;
    let mut available = left(false);
    let mut total = total_of(&available);
    if total == 0 {
        exclusions_reset = true;
        available = left(true);
        total = total_of(&available);
    }
    if total == 0 {
        return None;
    }
    let mut load = RetryLoad {
        healthy: vec![0; availability.len()],
        degraded: vec![0; availability.len()],
        exclusions_reset,
    };
    let mut rest = 100;
    // What rounding leaves is handed out again from the first priority on. Every round gives
    // something, because a priority that is available has at least one percent.
    while rest > 0 {
        for (priority, a) in load.healthy.iter_mut().zip(&available) {
            rest -= give(priority, a.healthy, total, rest);
        }
        for (priority, a) in load.degraded.iter_mut().zip(&available) {
            rest -= give(priority, a.degraded, total, rest);
        }
    }
    Some(load)
}

fn give(load: &mut u32, availability: u32, total: u32, rest: u32) -> u32 {
    let share = (availability * 100)
        .checked_div(total)
        .unwrap_or(0)
        .min(rest);
    *load += share;
    share
}

/// The loads of a request that was tried in these priorities before, in this order. Priorities are let in
/// again when none is left. `None`: the original loads hold.
///
/// `update_frequency` is the number of tries after which the tried priorities are avoided; a priority of
/// `None` has no place in this list of priorities.
#[must_use]
pub fn previous_priorities(
    availability: &[Availability],
    update_frequency: u32,
    tried: &[Option<usize>],
) -> Option<RetryLoad> {
    let mut excluded = vec![false; availability.len()];
    let mut attempted: Vec<Option<usize>> = Vec::new();
    let mut load = None;
    for &priority in tried {
        attempted.push(priority);
        let count = attempted.len() as u32;
        if count < update_frequency {
            load = None;
        } else if count.is_multiple_of(update_frequency) {
            for priority in attempted.iter().flatten() {
                if let Some(out) = excluded.get_mut(*priority) {
                    *out = true;
                }
            }
            load = load_without(availability, &excluded);
            if load.as_ref().is_none_or(|load| load.exclusions_reset) {
                excluded.fill(false);
                attempted.clear();
            }
        }
    }
    load
}
