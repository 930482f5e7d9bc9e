//! The exact binomial test of a fraction.

/// Smaller fractions are rounding errors of sums.
pub(super) const ROUNDING: f64 = 1e-8;

/// The probability that a count of a sample is at least as far in the tail as this one, in both tails.
fn binomial_p(count: u64, sample: u64, fraction: f64) -> f64 {
    if fraction < ROUNDING {
        return if count == 0 { 1.0 } else { 0.0 };
    }
    if fraction > 1.0 - ROUNDING {
        return if count == sample { 1.0 } else { 0.0 };
    }
    let (mut below, mut above) = (0.0, 0.0);
    // The logarithm of the probability of each count, from that of the count before.
    let mut log = sample as f64 * (1.0 - fraction).ln();
    let odds = (fraction / (1.0 - fraction)).ln();
    for number in 0..=sample {
        let probability = log.exp();
        if number <= count {
            below += probability;
        }
        if number >= count {
            above += probability;
        }
        log += ((sample - number) as f64 / (number + 1) as f64).ln() + odds;
    }
    (2.0 * f64::min(below, above)).min(1.0)
}

/// The same for a fraction that is known up to an error: the one that fits best counts.
pub(super) fn binomial_near(count: u64, sample: u64, fraction: f64, error: f64) -> f64 {
    let observed = count as f64 / sample.max(1) as f64;
    let nearest = observed.clamp(fraction - error, fraction + error);
    binomial_p(count, sample, nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_fractions_allow_one_count() {
        assert_eq!(binomial_p(0, 10, 0.0), 1.0);
        assert_eq!(binomial_p(1, 10, 0.0), 0.0);
        assert_eq!(binomial_p(10, 10, 1.0), 1.0);
        assert_eq!(binomial_p(9, 10, 1.0), 0.0);
    }

    #[test]
    fn an_error_of_the_fraction_widens_the_band() {
        assert!(binomial_near(600, 1_000, 0.5, 0.0) < 1e-8);
        assert!(binomial_near(600, 1_000, 0.5, 0.1) > 0.9);
        assert!(binomial_near(1, 1_000, 0.0, 1e-3) > 0.5);
    }

    #[test]
    fn known_values() {
        // Ten of ten coins: two in 1,024.
        assert!((binomial_p(10, 10, 0.5) - 2.0 / 1024.0).abs() < 1e-12);
        assert!((binomial_p(0, 3, 0.1) - 1.0).abs() < 1e-12);
        assert!(binomial_p(500, 1_000, 0.5) > 0.99);
        assert!(binomial_p(600, 1_000, 0.5) < 1e-8);
        assert!(binomial_p(2_000, 4_000, 0.5) > 0.99);
    }
}
