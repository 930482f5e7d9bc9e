//! The confidence of a comparison with many shares.

use statrs::distribution::{ContinuousCDF as _, Normal};

/// The probability that correct predictions are reported as different, for a whole comparison.
const FALSE_ALARMS: f64 = 0.01;

/// The standard deviations on both sides of a share, so that all of `shares` shares are in their bands with
/// a probability of at least 99 %. It divides the probability of an error among them (Bonferroni).
pub(super) fn quantile(shares: usize) -> f64 {
    let each = FALSE_ALARMS / (2.0 * shares.max(1) as f64);
    Normal::standard().inverse_cdf(1.0 - each)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_shares_need_wider_bands() {
        // Tables of the standard normal distribution: 0.995 and 0.9995.
        assert!((quantile(1) - 2.5758).abs() < 1e-3);
        assert!((quantile(10) - 3.2905).abs() < 1e-3);
        assert!((quantile(0) - quantile(1)).abs() < 1e-12);
    }
}
