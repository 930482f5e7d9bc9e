//! Earliest deadline first: the weighted order of Envoy's `EdfScheduler`.
//!
//! Each pick removes the entry with the earliest deadline and adds it again, with the deadline
//! `now + 1.0 / weight`. Equal deadlines keep their insertion order. Deadlines are sums in double
//! precision. Their rounding decides ties, so the operations and their order are Envoy's.
//!
//! A picked entry is added again at once, so the number of entries is constant. A tournament tree
//! is therefore faster than a heap: one match for each round replaces the winner.

use alloc::{vec, vec::Vec};

/// Added to each weight while the schedule is built, so that weights which are multiples of each other
/// are not all due at the same time (`EdfScheduler::createWithPicks`).
const MINIMUM_WEIGHT: f64 = 1e-13;
/// The maximum number of picks that are skipped at the start. Skipping spreads the starting points
/// of workers.
const MAXIMUM_SKIPPED_PICKS: u32 = 429_496_729;

/// The schedule of a list of entries.
///
/// # Examples
/// ```
/// use spillgate_core::pick::Edf;
///
/// let weights = [2.0, 1.0];
/// let mut edf = Edf::new(&weights);
/// let picks: Vec<_> = (0..6).filter_map(|_| edf.pick(|index| weights[index])).collect();
/// assert_eq!(picks, [0, 1, 0, 0, 1, 0]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Edf {
    now: f64,
    next_order: u64,
    /// The deadline of each entry, by index.
    due: Vec<Due>,
    /// The loser of each match; index 0 has the winner of the tournament. The final is at index 1,
    /// and the players of match `n` are the winners of matches `2n` and `2n + 1`. Entry `i` starts
    /// at `due.len() + i`, after all matches.
    losers: Vec<u32>,
}

/// A deadline and an order in one number: the earliest deadline sorts first, then the lowest order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Due(u128);

impl Edf {
    /// A schedule without earlier picks. Weights must be above 0.
    #[must_use]
    pub fn new(weights: &[f64]) -> Self {
        let deadlines = weights.iter().map(|weight| 1.0 / weight);
        Self::starting(deadlines)
    }

    /// A schedule in the state after `seed` picks, modulo 429,496,729, without making all of them
    /// (`EdfScheduler::createWithPicks`).
    #[must_use]
    pub fn with_picks(weights: &[f64], seed: u64) -> Self {
        // `createWithPicks` takes the number of picks as 32 bits.
        let picks = f64::from(seed as u32 % MAXIMUM_SKIPPED_PICKS);
        let adjusted: Vec<f64> = weights
            .iter()
            .map(|weight| weight + MINIMUM_WEIGHT)
            .collect();
        let sum: f64 = adjusted.iter().sum();
        let (mut now, mut done) = (0.0, 0_u32);
        let deadlines = adjusted.iter().map(|&weight| {
            let mut floor = (weight * picks / sum) as u32;
            // Rounding may have moved the entry beyond the target time.
            if floor > 0 && f64::from(floor) / weight >= picks / sum {
                floor -= 1;
            }
            now = f64::max(now, f64::from(floor) / weight);
            done = done.saturating_add(floor);
            (f64::from(floor) + 1.0) / weight
        });
        let mut edf = Self::starting(deadlines);
        edf.now = now;
        // Truncation skipped fewer picks than the seed says; the others are made one by one.
        for _ in done..picks as u32 {
            edf.pick(|index| weights.get(index).copied().unwrap_or(0.0));
        }
        edf
    }

    fn starting(deadlines: impl Iterator<Item = f64>) -> Self {
        let due: Vec<Due> = (0..)
            .zip(deadlines)
            .map(|(order, deadline)| Due::new(deadline, order))
            .collect();
        Self {
            now: 0.0,
            next_order: due.len() as u64,
            losers: tournament(&due),
            due,
        }
    }

    /// The deadline of the latest pick; 0 before the first one.
    #[must_use]
    pub const fn now(&self) -> f64 {
        self.now
    }

    /// The index of the next entry; `None` if the schedule is empty. `weight` is called once, for
    /// the picked entry.
    pub fn pick(&mut self, weight: impl FnOnce(usize) -> f64) -> Option<usize> {
        let picked = *self.losers.first()?;
        let index = picked as usize;
        let slot = self.due.get_mut(index)?;
        self.now = slot.deadline();
        // Equal deadlines are picked in the order of insertion (`EdfEntry::operator<`).
        let mut due = Due::new(self.now + 1.0 / weight(index), self.next_order);
        *slot = due;
        self.next_order += 1;

        let mut winner = picked;
        let mut at = (self.due.len() + index) / 2;
        while at > 0 {
            if let Some(loser) = self.losers.get_mut(at)
                && let Some(&other) = self.due.get(*loser as usize)
                && other < due
            {
                core::mem::swap(loser, &mut winner);
                due = other;
            }
            at /= 2;
        }
        if let Some(first) = self.losers.first_mut() {
            *first = winner;
        }
        Some(index)
    }
}

/// Plays all matches.
fn tournament(due: &[Due]) -> Vec<u32> {
    let count = due.len();
    let mut losers = vec![0; count];
    // The winners of the matches, as in [`Edf::losers`], followed by the entries.
    let mut winners: Vec<u32> = vec![0; count];
    winners.extend(0..count as u32);
    let earlier = |a: u32, b: u32| due.get(a as usize) < due.get(b as usize);
    for at in (1..count).rev() {
        let Some(&[a, b]) = winners.get(2 * at..2 * at + 2) else {
            continue;
        };
        let (winner, loser) = if earlier(a, b) { (a, b) } else { (b, a) };
        if let (Some(w), Some(l)) = (winners.get_mut(at), losers.get_mut(at)) {
            (*w, *l) = (winner, loser);
        }
    }
    if let (Some(first), Some(&winner)) = (losers.first_mut(), winners.get(1)) {
        *first = winner;
    }
    losers
}

// === impl Due ===

impl Due {
    fn new(deadline: f64, order: u64) -> Self {
        // One comparison of integers instead of a float and an integer with a branch.
        Self(u128::from(sortable(deadline.to_bits())) << 64 | u128::from(order))
    }

    fn deadline(self) -> f64 {
        f64::from_bits(bits((self.0 >> 64) as u64))
    }
}

const SIGN: u64 = 1 << 63;

/// The bits of a float as a number that sorts as [`f64::total_cmp`] does.
const fn sortable(bits: u64) -> u64 {
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The inverse of [`sortable`].
const fn bits(sortable: u64) -> u64 {
    if sortable & SIGN == 0 {
        !sortable
    } else {
        sortable & !SIGN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_alternate_in_order() {
        let mut edf = Edf::new(&[1.0, 1.0, 1.0]);
        let picks: Vec<_> = (0..6).map(|_| edf.pick(|_| 1.0)).collect();
        assert_eq!(picks, [0, 1, 2, 0, 1, 2].map(Some));
    }

    /// A direct implementation of Envoy's queue: the earliest deadline, then the lowest order.
    struct Naive {
        now: f64,
        entries: Vec<(f64, u64)>,
        next_order: u64,
    }

    impl Naive {
        fn pick(&mut self, weights: &[f64]) -> usize {
            let order = |(a, b): (f64, u64), (c, d): (f64, u64)| a.total_cmp(&c).then(b.cmp(&d));
            let entries = self.entries.iter().copied().enumerate();
            let (index, (deadline, _)) = entries.min_by(|(_, a), (_, b)| order(*a, *b)).unwrap();
            self.now = deadline;
            self.entries[index] = (self.now + 1.0 / weights[index], self.next_order);
            self.next_order += 1;
            index
        }
    }

    #[test]
    fn picks_equal_those_of_a_queue_for_any_number_of_entries() {
        for count in 1..40_u32 {
            let weights: Vec<f64> = (0..count).map(|n| f64::from(n * n % 7 + 1)).collect();
            let mut edf = Edf::new(&weights);
            let deadlines = weights.iter().map(|weight| 1.0 / weight);
            let mut naive = Naive {
                now: 0.0,
                entries: deadlines.zip(0..).collect(),
                next_order: count.into(),
            };
            for _ in 0..200 {
                let pick = edf.pick(|index| weights[index]);
                assert_eq!(pick, Some(naive.pick(&weights)), "{count} entries");
            }
        }
    }

    #[test]
    fn sortable_bits_sort_as_floats_do() {
        let floats = [
            f64::NEG_INFINITY,
            -1.5,
            -0.0,
            0.0,
            1e-300,
            2.0,
            f64::INFINITY,
            f64::NAN,
        ];
        for a in floats {
            assert_eq!(bits(sortable(a.to_bits())), a.to_bits());
            for b in floats {
                let found = sortable(a.to_bits()).cmp(&sortable(b.to_bits()));
                assert_eq!(found, a.total_cmp(&b), "{a} {b}");
            }
        }
    }

    /// The first schedule has an entry whose skipped picks end before the time of the seed; in the second,
    /// they end exactly then, so that its last pick is made again.
    #[test]
    fn a_seed_skips_only_picks_that_end_before_its_time() {
        for (weights, seed, expected) in [
            (&[3.0, 4.0][..], 2, [1, 0, 1, 1, 0, 1]),
            (&[2.0, 3.0, 4.0], 3, [2, 1, 2, 0, 2, 1]),
        ] {
            let mut edf = Edf::with_picks(weights, seed);
            let picks = [(); 6].map(|()| edf.pick(|index| weights[index]));
            assert_eq!(picks, expected.map(Some), "{weights:?} after {seed}");
        }
    }

    #[test]
    fn an_empty_schedule_has_no_pick() {
        assert_eq!(Edf::with_picks(&[], 17).pick(|_| 1.0), None);
    }
}
