//! The random number of a request.
//!
//! Envoy draws one 64-bit number per request. All `runtime_fraction`s of its routes and the choice among
//! weighted clusters read that number, so they depend on each other: if a route with 30 % has not
//! matched, the number modulo 100 is at least 30. A [`RandomNumbers`] is the set of numbers that lead to
//! an outcome.

use alloc::{vec, vec::Vec};
use core::ops::Range;

use super::FractionalPercent;
use crate::pick::gcd;

/// A set of random numbers, by their remainder modulo a [denominator](super::FractionDenominator).
///
/// Shares are exact up to the rounding of doubles, and up to 2^-32 because 2^64 is no multiple of the
/// moduli.
///
/// # Examples
/// ```
/// use spillgate_core::route::{FractionDenominator, FractionalPercent, RandomNumbers};
///
/// let percent = |n| FractionalPercent::new(n, FractionDenominator::Hundred);
/// let (first, rest) = RandomNumbers::all().split(percent(30));
/// let (second, rest) = rest.split(percent(50));
/// assert_eq!([first.share(), second.share(), rest.share()], [0.3, 0.2, 0.5]);
/// // Weighted clusters of 60 and 40 that get the rest: the first one gets only 10 %.
/// assert_eq!(rest.share_of(0..60, 100), 0.1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomNumbers {
    /// 1, 100, 10,000 or 1,000,000; each divides the next.
    modulus: u64,
    /// The remainders: not empty, disjoint, not adjacent, ascending.
    ranges: Vec<Range<u64>>,
}

impl RandomNumbers {
    /// All numbers.
    #[must_use]
    pub fn all() -> Self {
        Self {
            modulus: 1,
            ranges: core::iter::once(0..1).collect(),
        }
    }

    /// No number.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            modulus: 1,
            ranges: Vec::new(),
        }
    }

    /// Removes the numbers in a fraction and returns them; all numbers without a fraction.
    pub(super) fn take(&mut self, fraction: Option<FractionalPercent>) -> Self {
        let (inside, outside) = match fraction {
            None => (self.clone(), Self::none()),
            Some(fraction) => self.split(fraction),
        };
        *self = outside;
        inside
    }

    /// The numbers in a fraction, and the others.
    #[must_use]
    pub fn split(&self, fraction: FractionalPercent) -> (Self, Self) {
        let denominator = u64::from(fraction.denominator.number());
        let modulus = self.modulus.max(denominator);
        let lifted = self.lifted(modulus);
        let end = u64::from(fraction.numerator).min(denominator);
        let starts = (0..modulus).step_by(usize::try_from(denominator).unwrap_or(usize::MAX));
        let inside = starts.clone().map(|start| start..start + end);
        let outside = starts.map(|start| start + end..start + denominator);
        let set = |ranges| Self { modulus, ranges };
        (
            set(intersection(&lifted, inside)),
            set(intersection(&lifted, outside)),
        )
    }

    /// Whether no number is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether all numbers are in the set.
    #[must_use]
    pub fn is_all(&self) -> bool {
        matches!(self.ranges.as_slice(), [only] if *only == (0..self.modulus))
    }

    /// Whether a number is in the set.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        let rest = number.checked_rem(self.modulus).unwrap_or(0);
        self.ranges.iter().any(|range| range.contains(&rest))
    }

    /// The share of all numbers, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        let count: u64 = self
            .ranges
            .iter()
            .map(|range| range.end - range.start)
            .sum();
        count as f64 / self.modulus as f64
    }

    /// The share of all numbers that are in the set and whose remainder modulo `total` is in `range`.
    #[must_use]
    pub fn share_of(&self, range: Range<u64>, total: u64) -> f64 {
        let (set, weights) = (&self.ranges, [range]);
        // Remainders modulo coprime numbers are independent; modulo others, those of the common
        // divisor must agree.
        let common = gcd(self.modulus, total.max(1));
        let ours = per_class(set, common);
        let theirs = per_class(&weights, common);
        let pairs: f64 = ours
            .zip(theirs)
            .map(|(ours, theirs)| ours as f64 * theirs as f64)
            .sum();
        let (modulus, total) = (self.modulus as f64, total.max(1) as f64);
        pairs * common as f64 / (modulus * total)
    }

    /// The remainders modulo a multiple of the modulus.
    fn lifted(&self, modulus: u64) -> Vec<Range<u64>> {
        let mut lifted: Vec<Range<u64>> = Vec::new();
        let step = usize::try_from(self.modulus).unwrap_or(usize::MAX);
        for start in (0..modulus).step_by(step) {
            for range in &self.ranges {
                add(&mut lifted, start + range.start..start + range.end);
            }
        }
        lifted
    }
}

/// Adds a range after all others; adjacent ones become one.
fn add(ranges: &mut Vec<Range<u64>>, next: Range<u64>) {
    match ranges.last_mut() {
        _ if next.is_empty() => {}
        Some(last) if last.end == next.start => last.end = next.end,
        _ => ranges.push(next),
    }
}

/// The numbers in both lists of ascending ranges.
fn intersection(ours: &[Range<u64>], theirs: impl Iterator<Item = Range<u64>>) -> Vec<Range<u64>> {
    let mut both = Vec::new();
    let mut theirs = theirs.peekable();
    for range in ours {
        while let Some(other) = theirs.peek() {
            add(
                &mut both,
                range.start.max(other.start)..range.end.min(other.end),
            );
            // The other one can reach into the next range.
            if other.end > range.end {
                break;
            }
            theirs.next();
        }
    }
    both
}

/// How many numbers of the ranges have each remainder modulo `common`, in ascending order.
fn per_class(ranges: &[Range<u64>], common: u64) -> impl Iterator<Item = u64> {
    // Whole rounds count for every remainder; the steps at the ends of the rests for the others.
    let mut steps = vec![0_i64; usize::try_from(common).unwrap_or(0).saturating_add(1)];
    let mut rounds = 0;
    let mut step = |at: u64, by: i64| {
        if let Some(step) = usize::try_from(at).ok().and_then(|at| steps.get_mut(at)) {
            *step += by;
        }
    };
    for range in ranges {
        let length = range.end.saturating_sub(range.start);
        rounds += length / common;
        let (start, rest) = (range.start % common, length % common);
        let end = start + rest;
        step(start, 1);
        step(end.min(common), -1);
        if end > common {
            step(0, 1);
            step(end - common, -1);
        }
    }
    let mut more = 0;
    steps
        .into_iter()
        .take(usize::try_from(common).unwrap_or(0))
        .map(move |step| {
            more += step;
            rounds.saturating_add_signed(more)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::FractionDenominator::{Hundred, Million, TenThousand};

    /// The naive shares: every number below a common multiple.
    fn counted(fractions: &[FractionalPercent], total: u64, range: &Range<u64>) -> (f64, f64) {
        let all = 1_000_000 * total / gcd(1_000_000, total);
        let inside = |number: &u64| !fractions.iter().any(|fraction| fraction.contains(*number));
        let numbers = (0..all).filter(inside);
        let (mut count, mut both) = (0_u64, 0_u64);
        for number in numbers {
            count += 1;
            both += u64::from(range.contains(&(number % total)));
        }
        (count as f64 / all as f64, both as f64 / all as f64)
    }

    #[test]
    fn shares_equal_counted_ones() {
        let new = FractionalPercent::new;
        for (fractions, total, range) in [
            (vec![new(30, Hundred)], 100, 0..60),
            (vec![new(50, Hundred)], 2, 0..1),
            (vec![new(30, Hundred), new(3_333, TenThousand)], 7, 2..5),
            (vec![new(333_333, Million), new(50, Hundred)], 12, 3..12),
            (
                vec![
                    new(2_500, TenThousand),
                    new(50, Hundred),
                    new(300_000, Million),
                ],
                3,
                1..3,
            ),
            (vec![new(100, Hundred)], 5, 0..5),
            (vec![], 5, 1..2),
        ] {
            let rest = fractions
                .iter()
                .fold(RandomNumbers::all(), |set, fraction| set.split(*fraction).1);
            let (share, both) = counted(&fractions, total, &range);
            assert!((rest.share() - share).abs() < 1e-12, "{fractions:?}");
            let found = rest.share_of(range, total);
            assert!(
                (found - both).abs() < 1e-12,
                "{fractions:?}: {found} {both}"
            );
        }
    }

    #[test]
    fn a_fraction_behind_a_larger_one_is_empty() {
        let percent = |n| FractionalPercent::new(n, Hundred);
        let (first, rest) = RandomNumbers::all().split(percent(50));
        let (second, rest) = rest.split(percent(50));
        assert!(second.is_empty() && !first.is_empty() && !rest.is_all());
        let (first, rest) = RandomNumbers::all().split(percent(150));
        assert!(first.is_all() && rest.is_empty());
        assert!(first.contains(u64::MAX));
    }
}
