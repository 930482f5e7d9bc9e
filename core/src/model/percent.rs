//! Whole percentages, truncated as Envoy truncates them.

/// The panic threshold in whole percent, 0 to 100; 0 disables panic mode
/// (`CommonLbConfig.healthy_panic_threshold`).
///
/// A priority is in panic mode if its healthy and degraded hosts, in percent of its hosts that are not
/// excluded, are below the threshold while the total availability of all priorities is below 100, see
/// [`panics`](crate::load::panics).
///
/// # Examples
/// ```
/// use spillgate_core::model::PanicThreshold;
///
/// assert_eq!(PanicThreshold::DEFAULT.percent(), 50);
/// assert_eq!(PanicThreshold::from_percent(33.9).percent(), 33);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PanicThreshold(u32);

impl PanicThreshold {
    /// Envoy's default, 50 percent.
    pub const DEFAULT: Self = Self(50);

    /// 0 percent: panic mode disabled.
    pub const OFF: Self = Self(0);

    /// 100 percent: panic mode as soon as one host is not usable.
    pub const FULL: Self = Self(100);

    /// Truncates to a whole percent and caps at 100. Negative numbers and NaN become 0.
    #[must_use]
    pub const fn from_percent(percent: f64) -> Self {
        // A float-to-integer cast truncates and saturates, as required here.
        let whole = percent as u32;
        if whole < 100 { Self(whole) } else { Self(100) }
    }

    /// The threshold in percent, 0 to 100.
    #[must_use]
    pub const fn percent(self) -> u32 {
        self.0
    }
}

impl Default for PanicThreshold {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The overprovisioning factor in percent, any unsigned 32-bit value
/// (`ClusterLoadAssignment.Policy.overprovisioning_factor`).
///
/// The availability of a priority is `min(100, factor * usable / counted)`. With the default of
/// 140, spillover to the next priority starts when less than 72 percent of the hosts are usable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverprovisioningFactor(pub u32);

impl OverprovisioningFactor {
    /// Envoy's default, 140 percent.
    pub const DEFAULT: Self = Self(140);
}

impl Default for OverprovisioningFactor {
    fn default() -> Self {
        Self::DEFAULT
    }
}
