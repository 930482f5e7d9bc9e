//! The confidence band of an observed share.

/// The quantile of the normal distribution for a confidence of 95 %.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// The shares that fit a count of requests with a confidence, 95 % unless stated, each from 0 to 1.
///
/// It is Wilson's score interval, which unlike the usual `p ± 1.96·√(p(1-p)/n)` is right for few requests and
/// for shares near 0 and 1 (Wilson 1927; Brown, Cai and DasGupta 2001). It assumes that requests are independent:
/// many requests with one hash key count as one, so that a hash policy needs many keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConfidenceBand {
    /// The lowest share.
    pub low: f64,
    /// The highest share.
    pub high: f64,
}

impl ConfidenceBand {
    /// The band of `count` of `total` requests; `None` without requests.
    ///
    /// # Examples
    /// ```
    /// use spillgate_observe::ConfidenceBand;
    ///
    /// let band = ConfidenceBand::of(70, 100).unwrap();
    /// assert!((band.low - 0.604).abs() < 0.001 && (band.high - 0.781).abs() < 0.001);
    /// assert_eq!(ConfidenceBand::of(0, 0), None);
    /// ```
    #[must_use]
    pub fn of(count: u64, total: u64) -> Option<Self> {
        Self::with_quantile(count, total, QUANTILE)
    }

    /// The band for another confidence: that of `quantile` standard deviations on both sides, so 1.96 for 95 %.
    /// Several bands that must all hold with a confidence of 95 % each need a higher one.
    #[must_use]
    pub fn with_quantile(count: u64, total: u64, quantile: f64) -> Option<Self> {
        if total == 0 {
            return None;
        }
        // Counters of requests are far below 2^53.
        let (count, total) = (count.min(total) as f64, total as f64);
        let (share, square) = (count / total, quantile * quantile);
        let middle = share + square / (2.0 * total);
        let variance = share * (1.0 - share) / total + square / (4.0 * total * total);
        let half = quantile * libm::sqrt(variance);
        let scale = 1.0 + square / total;
        // Exact limits: a share of 0 or 1 must contain itself despite rounding.
        let low = if count > 0.0 {
            (middle - half) / scale
        } else {
            0.0
        };
        let high = if count < total {
            (middle + half) / scale
        } else {
            1.0
        };
        Some(Self { low, high })
    }

    /// Whether a share from 0 to 1 is in the band. Shares that differ only by rounding are equal.
    #[must_use]
    pub fn contains(&self, share: f64) -> bool {
        const ROUNDING: f64 = 1e-9;
        (self.low - ROUNDING..=self.high + ROUNDING).contains(&share)
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prop_assert, proptest};

    use super::*;

    #[test]
    fn bands_equal_published_values() {
        // Newcombe 1998, table I, the score method without continuity correction.
        for (count, total, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let band = ConfidenceBand::of(count, total).unwrap();
            assert!((band.low - low).abs() < 5e-5, "{count}/{total}: {band:?}");
            assert!((band.high - high).abs() < 5e-5, "{count}/{total}: {band:?}");
        }
    }

    #[test]
    fn a_share_of_nothing_or_everything_contains_itself() {
        for total in [1, 7, 1_000_003] {
            let none = ConfidenceBand::of(0, total).unwrap();
            let all = ConfidenceBand::of(total, total).unwrap();
            assert!(none.contains(0.0) && all.contains(1.0));
            assert!(!none.contains(1.0) && !all.contains(0.0));
        }
    }

    #[test]
    fn a_higher_confidence_gives_a_wider_band() {
        let usual = ConfidenceBand::of(30, 100).unwrap();
        let wider = ConfidenceBand::with_quantile(30, 100, 3.0).unwrap();
        assert!(wider.low < usual.low && wider.high > usual.high);
        assert_eq!(
            ConfidenceBand::with_quantile(30, 100, QUANTILE),
            Some(usual)
        );
        assert_eq!(ConfidenceBand::with_quantile(0, 0, 3.0), None);
    }

    #[test]
    fn one_request_to_a_host_without_share_is_outside() {
        assert!(!ConfidenceBand::of(1, 1_000).unwrap().contains(0.0));
    }

    proptest! {
        #[test]
        fn a_band_contains_its_share_and_narrows(count in 0_u64..=1_000, more in 0_u64..=1_000) {
            let total = count + more + 1;
            let band = ConfidenceBand::of(count, total).unwrap();
            prop_assert!(0.0 <= band.low && band.high <= 1.0);
            prop_assert!(band.contains(count as f64 / total as f64));
            let wide = ConfidenceBand::of(count * 4, total * 4).unwrap();
            prop_assert!(wide.high - wide.low < band.high - band.low + 1e-12);
        }
    }
}
