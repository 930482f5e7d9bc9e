//! Compares the hosts of two samples of requests.

use spillgate_conformance::chi_square::SIGNIFICANCE;
use statrs::function::gamma::checked_gamma_ur;

/// Cells with fewer requests in both samples together are pooled.
const SMALLEST_CELL: f64 = 10.0;

/// Two samples of requests: the counts of each host, and of no host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SampleComparison {
    /// The largest difference of two shares, in percentage points.
    pub(super) difference: f64,
    /// The probability of samples that differ at least as much, if the shares are equal.
    pub(super) probability: f64,
}

impl SampleComparison {
    /// Compares counts by host, in the same order.
    pub(super) fn of(old: &[u64], new: &[u64]) -> Self {
        let total = |counts: &[u64]| counts.iter().sum::<u64>() as f64;
        let totals = (total(old), total(new));
        if totals.0 == 0.0 || totals.1 == 0.0 {
            return Self {
                difference: 0.0,
                probability: 1.0,
            };
        }
        let cells: Vec<(f64, f64)> = old
            .iter()
            .zip(new)
            .map(|(old, new)| (*old as f64, *new as f64))
            .collect();
        let difference = cells.iter().fold(0.0, |most, (old, new)| {
            f64::max(most, (old / totals.0 - new / totals.1).abs() * 100.0)
        });
        let (large, small): (Vec<_>, Vec<_>) = cells
            .into_iter()
            .partition(|(old, new)| old + new >= SMALLEST_CELL);
        let pool = small
            .iter()
            .fold((0.0, 0.0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1));
        let cells: Vec<(f64, f64)> = large
            .into_iter()
            .chain((pool.0 + pool.1 > 0.0).then_some(pool))
            .collect();
        let all = totals.0 + totals.1;
        let statistic: f64 = cells
            .iter()
            .map(|(old, new)| {
                let expected = |total: f64| (old + new) * total / all;
                let part = |seen: f64, expected: f64| (seen - expected).powi(2) / expected;
                part(*old, expected(totals.0)) + part(*new, expected(totals.1))
            })
            .sum();
        let degrees = cells.len().saturating_sub(1);
        let probability = match degrees {
            0 => 1.0,
            // The function rejects a statistic of 0, which fits perfectly.
            _ => checked_gamma_ur(degrees as f64 / 2.0, f64::max(statistic / 2.0, 1e-300))
                .unwrap_or(0.0),
        };
        Self {
            difference,
            probability,
        }
    }

    /// Whether the samples fit the same shares.
    pub(super) fn fits(&self) -> bool {
        self.probability >= SIGNIFICANCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_of_equal_shares_fit_and_others_do_not() {
        assert!(SampleComparison::of(&[360, 40, 0], &[365, 35, 0]).fits());
        let other = SampleComparison::of(&[360, 40, 0], &[400, 0, 0]);
        assert!(!other.fits());
        assert_eq!(other.difference, 10.0);
        assert!(!SampleComparison::of(&[300, 300, 0], &[300, 270, 30]).fits());
        assert!(SampleComparison::of(&[], &[]).fits());
    }
}
