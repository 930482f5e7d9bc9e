//! Retries that avoid the priorities of earlier attempts
//! (`envoy.retry_priorities.previous_priorities`).

use alloc::{vec, vec::Vec};

use super::Availability;

/// The loads of a retry, in whole percent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryLoad {
    /// The load of the healthy hosts of each priority.
    pub healthy: Vec<u32>,
    /// The load of the degraded hosts of each priority.
    pub degraded: Vec<u32>,
    /// Whether each priority is excluded.
    pub excluded: Vec<bool>,
    /// Whether the exclusions were cleared because no other priority is available.
    pub exclusions_reset: bool,
}

/// The loads without the priorities that are `excluded`. If no other priority is available, the
/// exclusions are cleared. `None` if no priority is available at all: the original loads apply.
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
    // Every usable priority was tried: Envoy forgets the attempts and starts again
    // (`PreviousPrioritiesRetryPriority::adjustForAttemptedPriorities`).
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
        excluded: (0..availability.len())
            .map(|at| !exclusions_reset && excluded.get(at) == Some(&true))
            .collect(),
        exclusions_reset,
    };
    let mut rest = 100;
    // The remainder from rounding is distributed again, starting at P0. Each round distributes at
    // least 1 percent, because an available priority has at least 1 percent.
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

/// An earlier attempt of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriedPriority<'a> {
    /// The number of the priority that it used; `None` if that is not one of the cluster.
    pub number: Option<usize>,
    /// The priorities of the attempt after it, which can be those of another cluster. `None` if that
    /// attempt does not ask for loads, because a hash table chooses its host.
    pub next: Option<&'a [Availability]>,
}

/// The loads of a request after these earlier attempts, in order. `None` if the original loads apply.
///
/// `update_frequency` is the number of attempts after which the tried priorities are excluded
/// (`PreviousPrioritiesConfig.update_frequency`).
///
/// # Examples
/// ```
/// use spillgate_core::load::{Availability, TriedPriority, previous_priorities};
///
/// let both = [Availability { healthy: 100, degraded: 0 }; 2];
/// let tried = |number| TriedPriority { number: Some(number), next: Some(&both) };
/// let load = previous_priorities(1, [tried(0)]).unwrap();
/// assert_eq!(load.healthy, [0, 100]);
///
/// // After both priorities were tried, both are available again.
/// let load = previous_priorities(1, [tried(0), tried(1)]).unwrap();
/// assert!(load.exclusions_reset);
/// assert_eq!(load.healthy, [100, 0]);
/// ```
#[must_use]
pub fn previous_priorities<'a>(
    update_frequency: u32,
    tried: impl IntoIterator<Item = TriedPriority<'a>>,
) -> Option<RetryLoad> {
    let mut excluded: Vec<bool> = Vec::new();
    let mut attempted: Vec<Option<usize>> = Vec::new();
    let mut load = None;
    let mut computed = false;
    for TriedPriority { number, next } in tried {
        attempted.push(number);
        let count = attempted.len() as u32;
        let Some(next) = next else { continue };
        if count < update_frequency {
            load = None;
        // Between two updates Envoy keeps the loads of the last one (`determinePriorityLoad`).
        } else if count.is_multiple_of(update_frequency) {
            if excluded.len() < next.len() {
                excluded.resize(next.len(), false);
            }
            for priority in attempted.iter().flatten() {
                if let Some(out) = excluded.get_mut(*priority) {
                    *out = true;
                }
            }
            computed = true;
            load = load_without(next, &excluded);
            if load.as_ref().is_none_or(|load| load.exclusions_reset) {
                excluded.fill(false);
                attempted.clear();
            }
        } else if !computed {
            // Envoy has computed no loads yet, and then uses P0 (`choosePriority`).
            load = Some(RetryLoad::first(next.len()));
        }
    }
    load
}

// === impl RetryLoad ===

impl RetryLoad {
    /// All load on the healthy hosts of the first of some priorities.
    fn first(priorities: usize) -> Self {
        let mut healthy = vec![0; priorities];
        if let Some(first) = healthy.first_mut() {
            *first = 100;
        }
        Self {
            healthy,
            degraded: vec![0; priorities],
            excluded: vec![false; priorities],
            exclusions_reset: false,
        }
    }
}
