//! Whether two samples can come from one distribution.

use spillgate_conformance::chi_square::{SampleCell, fit};

/// The probability that two samples of one distribution differ at least as much.
pub(super) fn two_samples_p(counts: &[(u64, u64)]) -> f64 {
    let sum = |of: fn(&(u64, u64)) -> u64| counts.iter().map(of).sum::<u64>() as f64;
    let (first, second) = (sum(|pair| pair.0), sum(|pair| pair.1));
    if first == 0.0 || second == 0.0 {
        return 1.0;
    }
    // The square of `deviation` by the sum is the statistic of the test of homogeneity.
    let ratio = (second / first).sqrt();
    let cells = counts.iter().map(|(a, b)| {
        let (a, b) = (*a as f64, *b as f64);
        let deviation = a * ratio - b / ratio;
        SampleCell {
            expected: a + b,
            observed: a + b + deviation,
        }
    });
    fit(cells).probability
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_shares_are_likely_at_any_size() {
        assert!(two_samples_p(&[(100, 100), (50, 50)]) > 0.999);
        assert!(two_samples_p(&[(100, 300), (50, 150)]) > 0.999);
        assert!(two_samples_p(&[(0, 10)]) > 0.999);
    }

    #[test]
    fn other_shares_are_unlikely() {
        assert!(two_samples_p(&[(100, 160), (100, 40)]) < 1e-6);
        // The statistic of a table of 60, 40, 40, 60 is 8, at one degree of freedom.
        assert!((two_samples_p(&[(60, 40), (40, 60)]) - 0.004_678).abs() < 1e-5);
    }
}
