//! The order of a schedule, as a cycle.

use alloc::vec::Vec;

use super::Edf;

/// The most picks of a cycle.
const LONGEST: u64 = 1 << 16;
/// The picks of a schedule without a common unit of its weights.
const LONG: u64 = 1 << 14;

/// The entries in the order in which a schedule with these weights picks them, over one period.
///
/// Envoy's workers start at random picks of one schedule, so each position of the cycle is equally
/// likely. Weights without a common unit, or with a period above 65,536 picks, have no such cycle;
/// the result is then a run of 16,384 picks.
///
/// # Examples
/// ```
/// use spillgate_core::pick::schedule_cycle;
///
/// assert_eq!(schedule_cycle(&[2.0, 1.0]), [0, 1, 0]);
/// assert_eq!(schedule_cycle(&[1.0, 1.0]), [0, 1]);
/// ```
#[must_use]
pub fn schedule_cycle(weights: &[f64]) -> Vec<usize> {
    let mut edf = Edf::new(weights);
    let picks = period(weights).unwrap_or(LONG);
    let weight = |index: usize| weights.get(index).copied().unwrap_or(1.0);
    (0..picks).filter_map(|_| edf.pick(weight)).collect()
}

/// The sum of the weights in their largest common unit.
fn period(weights: &[f64]) -> Option<u64> {
    /// Weights such as 3.5 or 93.33 are whole numbers after a multiplication by up to this.
    const SCALES: u32 = 1000;
    let whole = |scale: u32| -> Option<Vec<u64>> {
        let scaled = weights.iter().map(|weight| weight * f64::from(scale));
        scaled
            .map(|scaled| {
                let round = libm::round(scaled);
                // A double represents every integer up to 9e15, so sums of some weights stay exact.
                let near = (scaled - round).abs() <= 1e-9 * round && round <= 1e15;
                near.then_some(round as u64)
            })
            .collect()
    };
    let units = (1..=SCALES).find_map(whole)?;
    let unit = units.iter().copied().fold(0, gcd).max(1);
    let sum: u64 = units.iter().map(|weight| weight / unit).sum();
    (sum <= LONGEST).then_some(sum)
}

/// The greatest common divisor; `gcd(0, b)` is `b`.
pub(crate) const fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_entry_occurs_in_proportion_to_its_weight() {
        for weights in [
            &[1.0, 2.0, 3.0, 4.0][..],
            &[70.0, 28.0],
            &[0.5, 1.0 / 3.0],
            &[7.0],
        ] {
            let cycle = schedule_cycle(weights);
            let sum: f64 = weights.iter().sum();
            for (at, weight) in weights.iter().enumerate() {
                let count = cycle.iter().filter(|&&picked| picked == at).count();
                let expected = weight / sum * cycle.len() as f64;
                assert!((count as f64 - expected).abs() < 1e-6, "{weights:?}");
            }
        }
        assert_eq!(schedule_cycle(&[6.0, 3.0]).len(), 3);
        assert_eq!(schedule_cycle(&[1.0, 0.123_456_789]).len(), LONG as usize);
    }
}
