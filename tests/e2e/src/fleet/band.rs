//! The bands of counts: outside of a band with a probability of at most 1 % over all counts together.
//!
//! Each caller chooses with its own probability, so a count is a sum of different binomials. Hoeffding's inequality bounds
//! its tails by those of the binomial with the mean probability, at any number of requests: no approximation, so a
//! band is a little wide rather than too narrow.

/// The probability that any count is outside of its band by chance.
pub const FAMILY_WISE: f64 = 0.01;

/// A count and its expectation.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedLoad {
    /// The fleet and the host, the zone, or the requests without a host.
    pub what: String,
    /// All requests of the fleet.
    pub requests: u64,
    /// The expected number of them.
    pub expected: f64,
    /// The counted number.
    pub counted: u64,
}

/// Whether a count is inside its band if there are so many counts.
#[must_use]
pub fn is_inside(load: &CountedLoad, counts: usize) -> bool {
    let each = FAMILY_WISE / (2.0 * counts.max(1) as f64);
    load.tail() >= each
}

impl CountedLoad {
    /// A bound of the probability of a count at least this far from the expectation, on its side.
    #[must_use]
    pub fn tail(&self) -> f64 {
        self.tail_of(self.counted as f64)
    }

    /// The same for a count that is not whole.
    #[must_use]
    pub fn tail_of(&self, counted: f64) -> f64 {
        let requests = self.requests as f64;
        let (expected, counted) = (self.expected / requests, counted / requests);
        let term = |part: f64, of: f64| {
            // The limit for a part of 0.
            if part <= 0.0 {
                0.0
            } else {
                part * (part / of).ln()
            }
        };
        // Sums of shares are a little off.
        let expected = if expected < 1e-12 {
            0.0
        } else {
            expected.min(1.0)
        };
        let divergence = term(counted, expected) + term(1.0 - counted, 1.0 - expected);
        (-requests * divergence).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(expected: f64, counted: u64) -> CountedLoad {
        CountedLoad {
            what: String::new(),
            requests: 1_000,
            expected,
            counted,
        }
    }

    #[test]
    fn the_bound_is_above_the_normal_tail_and_falls_with_the_distance() {
        assert!((load(500.0, 500).tail() - 1.0).abs() < 1e-12);
        // 4 standard deviations of 15.8: exp(-8) by the normal density.
        let far = load(500.0, 563).tail();
        assert!((3e-5..1e-3).contains(&far), "{far}");
        assert!(load(500.0, 600).tail() < far);
        assert!(is_inside(&load(500.0, 540), 100) && !is_inside(&load(500.0, 600), 100));
    }

    #[test]
    fn nothing_is_expected_means_nothing_is_counted() {
        assert!(is_inside(&load(0.0, 0), 1));
        assert!(!is_inside(&load(0.0, 1), 1_000_000));
        assert!(is_inside(&load(1_000.0, 1_000), 1));
        assert!(!is_inside(&load(1_000.0, 999), 1_000_000));
    }
}
