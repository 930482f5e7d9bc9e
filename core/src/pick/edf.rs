//! Earliest deadline first: weighted turns, in the order of Envoy's `EdfScheduler`.
//!
//! Deadlines are sums of `1.0 / weight` in double precision. Their rounding decides ties, so the
//! operations and their order are Envoy's.

use alloc::{collections::BinaryHeap, vec::Vec};
use core::cmp::Ordering;

/// A weight of 0 must not divide by zero while the schedule is built.
const MINIMUM_WEIGHT: f64 = 1e-13;
/// The largest number of picks that are skipped at the start; spreads the starting points of
/// workers.
const MAXIMUM_SKIPPED_PICKS: u32 = 429_496_729;

/// The schedule of a list of entries.
#[derive(Debug, Clone, Default)]
pub struct Edf {
    now: f64,
    next_order: u64,
    queue: BinaryHeap<Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    deadline: f64,
    order: u64,
    index: usize,
}

impl Edf {
    /// A schedule in which nothing was picked yet.
    #[must_use]
    pub fn new(weights: &[f64]) -> Self {
        let mut edf = Self::default();
        for (index, &weight) in weights.iter().enumerate() {
            edf.add(index, weight);
        }
        edf
    }

    /// A schedule in the state it would have after `seed` picks (up to a bound), without making
    /// them one by one (`EdfScheduler::createWithPicks`).
    #[must_use]
    pub fn with_picks(weights: &[f64], seed: u64) -> Self {
        let picks = f64::from(seed as u32 % MAXIMUM_SKIPPED_PICKS);
        let adjusted: Vec<f64> = weights
            .iter()
            .map(|weight| weight + MINIMUM_WEIGHT)
            .collect();
        let sum: f64 = adjusted.iter().sum();
        let mut edf = Self::default();
        let mut done = 0_u32;
        for (index, &weight) in adjusted.iter().enumerate() {
            let mut floor = (weight * picks / sum) as u32;
            // Rounding may have put the entry past the point in time that is sought.
            if floor > 0 && f64::from(floor) / weight >= picks / sum {
                floor -= 1;
            }
            let last = f64::from(floor) / weight;
            if last > edf.now {
                edf.now = last;
            }
            edf.queue.push(Entry {
                deadline: (f64::from(floor) + 1.0) / weight,
                order: index as u64,
                index,
            });
            done = done.saturating_add(floor);
        }
        edf.next_order = adjusted.len() as u64;
        for _ in done..picks as u32 {
            edf.pick(|index| weights.get(index).copied().unwrap_or(0.0));
        }
        edf
    }

    /// The next entry. `weight` is asked once, for the entry that was picked.
    pub fn pick(&mut self, weight: impl FnOnce(usize) -> f64) -> Option<usize> {
        let entry = self.queue.pop()?;
        self.now = entry.deadline;
        self.add(entry.index, weight(entry.index));
        Some(entry.index)
    }

    fn add(&mut self, index: usize, weight: f64) {
        self.queue.push(Entry {
            deadline: self.now + 1.0 / weight,
            order: self.next_order,
            index,
        });
        self.next_order += 1;
    }
}

// === impl Entry ===

impl Ord for Entry {
    /// The heap gives its greatest entry first: the earliest deadline, then the lowest order.
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .deadline
            .total_cmp(&self.deadline)
            .then(other.order.cmp(&self.order))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_take_turns_in_order() {
        let mut edf = Edf::new(&[1.0, 1.0, 1.0]);
        let picks: Vec<_> = (0..6).map(|_| edf.pick(|_| 1.0)).collect();
        assert_eq!(picks, [0, 1, 2, 0, 1, 2].map(Some));
    }

    #[test]
    fn an_empty_schedule_has_no_pick() {
        assert_eq!(Edf::with_picks(&[], 17).pick(|_| 1.0), None);
    }
}
