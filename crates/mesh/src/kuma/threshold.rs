//! From `failoverThreshold` to an overprovisioning factor.

use spillgate_core::decimal;

use super::KumaNumber;
use crate::MeshFaultCode;

/// The overprovisioning factor in percent without a threshold (`defaultOverprovisioningFactor`).
pub const DEFAULT_KUMA_FACTOR: u32 = 200;

/// A legal `failoverThreshold.percentage`: above 0 and at most 100.
///
/// # Examples
/// ```
/// use spillgate_mesh::kuma::{KumaNumber, KumaThreshold};
///
/// let seventy = KumaThreshold::new(&KumaNumber::Integer(70)).unwrap();
/// assert_eq!((seventy.kuma_factor(), seventy.intended_factor()), (100, 143));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KumaThreshold {
    percent: f64,
    intended: u32,
}

impl KumaThreshold {
    /// Checks the percentage as Kuma does (`ValidatePercentage`).
    ///
    /// # Errors
    /// [`MeshFaultCode::NotANumber`], [`MeshFaultCode::OutOfPercentageRange`] or
    /// [`MeshFaultCode::MustBeGreaterThan0`].
    pub fn new(percentage: &KumaNumber) -> Result<Self, MeshFaultCode> {
        let percent = value(percentage).ok_or(MeshFaultCode::NotANumber)?;
        if !(0.0..=100.0).contains(&percent) {
            return Err(MeshFaultCode::OutOfPercentageRange);
        }
        if percent == 0.0 {
            return Err(MeshFaultCode::MustBeGreaterThan0);
        }
        let exact = match percentage {
            KumaNumber::Integer(whole) => ceiling(u128::from(whole.unsigned_abs()), 0),
            KumaNumber::Text(text) => exact_ceiling(text),
        };
        Ok(Self {
            percent,
            intended: exact.unwrap_or_else(|| ceil(10_000.0 / percent)),
        })
    }

    /// The threshold in percent, above 0 and at most 100.
    #[must_use]
    pub const fn percent(self) -> f64 {
        self.percent
    }

    /// The factor that released Kuma writes, in percent: `trunc(100 / threshold) * 100`
    /// (`overprovisioningFactor` in `plugin.go`).
    #[must_use]
    pub fn kuma_factor(self) -> u32 {
        // The cast truncates and saturates.
        ((100.0 / self.percent) as u32).saturating_mul(100)
    }

    /// The factor that makes the threshold exact, in percent: `ceil(10000 / threshold)`. A lower
    /// one would spill at the threshold itself, because Envoy truncates availabilities.
    #[must_use]
    pub const fn intended_factor(self) -> u32 {
        self.intended
    }

    /// The threshold in percent that the factor of released Kuma amounts to.
    #[must_use]
    pub fn effective_percent(self) -> f64 {
        10_000.0 / f64::from(self.kuma_factor())
    }
}

/// The value of a number or decimal text.
pub(super) fn value(number: &KumaNumber) -> Option<f64> {
    match number {
        KumaNumber::Integer(whole) => Some(*whole as f64),
        KumaNumber::Text(text) => decimal::parse(text),
    }
}

/// `ceil(10000 / n)` for a short decimal text without exponent.
fn exact_ceiling(text: &str) -> Option<u32> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (before, after) = text.split_once('.').unwrap_or((text, ""));
    if before.len() + after.len() > 24 {
        return None;
    }
    let mut digits: u128 = 0;
    for byte in before.bytes().chain(after.bytes()) {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        digits = digits * 10 + u128::from(digit);
    }
    ceiling(digits, u32::try_from(after.len()).ok()?)
}

/// `ceil(10000 / (digits / 10^scale))`, at most 2^32-1. `scale` is at most 24.
fn ceiling(digits: u128, scale: u32) -> Option<u32> {
    let whole = 10_u128.checked_pow(scale.checked_add(4)?)?;
    let rest = u128::from(whole.checked_rem(digits)? > 0);
    let factor = whole.checked_div(digits)? + rest;
    Some(u32::try_from(factor).unwrap_or(u32::MAX))
}

/// The smallest whole number that is not below a positive one; saturates.
fn ceil(number: f64) -> u32 {
    let whole = number as u32;
    whole.saturating_add(u32::from(f64::from(whole) < number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Result<KumaThreshold, MeshFaultCode> {
        KumaThreshold::new(&KumaNumber::Text(text.into()))
    }

    #[test]
    fn released_kuma_truncates_before_it_multiplies() {
        for (percent, kuma, intended) in [
            ("1", 10_000, 10_000),
            ("10", 1000, 1000),
            ("12.5", 800, 800),
            ("20", 500, 500),
            ("25", 400, 400),
            ("30", 300, 334),
            ("33", 300, 304),
            ("34", 200, 295),
            ("40", 200, 250),
            ("50", 200, 200),
            ("51", 100, 197),
            ("70", 100, 143),
            ("99", 100, 102),
            ("100", 100, 100),
            ("0.5", 20_000, 20_000),
            ("1.6", 6200, 6250),
            ("5e1", 200, 200),
        ] {
            let threshold = text(percent).unwrap();
            assert_eq!(threshold.kuma_factor(), kuma, "{percent}");
            assert_eq!(threshold.intended_factor(), intended, "{percent}");
        }
    }

    /// Envoy's default, 140, is not among them: a written factor never equals an absent one.
    #[test]
    fn released_kuma_writes_multiples_of_100() {
        for hundredths in 1..=10_000 {
            let threshold = text(&alloc::format!("{}", f64::from(hundredths) / 100.0)).unwrap();
            assert_eq!(threshold.kuma_factor() % 100, 0, "{hundredths}");
        }
        assert_eq!(DEFAULT_KUMA_FACTOR % 100, 0);
        assert_eq!(text("71.43").unwrap().intended_factor(), 140);
    }

    #[test]
    fn percentages_have_a_range() {
        assert_eq!(text("hello"), Err(MeshFaultCode::NotANumber));
        assert_eq!(text("0.0"), Err(MeshFaultCode::MustBeGreaterThan0));
        for out in ["-1", "100.1", "1e300"] {
            assert_eq!(text(out), Err(MeshFaultCode::OutOfPercentageRange), "{out}");
        }
        let negative = KumaThreshold::new(&KumaNumber::Integer(-5));
        assert_eq!(negative, Err(MeshFaultCode::OutOfPercentageRange));
    }

    #[test]
    fn the_smallest_thresholds_saturate() {
        let tiny = text("0.00000000000000000001").unwrap();
        assert_eq!(tiny.intended_factor(), u32::MAX);
        assert_eq!(tiny.kuma_factor(), u32::MAX);
    }
}
