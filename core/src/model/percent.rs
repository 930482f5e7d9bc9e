//! Whole percentages, truncated as Envoy truncates them.

/// The panic threshold in whole percent, 0 to 100; 0 turns panic off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PanicThreshold(u32);

impl PanicThreshold {
    /// Envoy's default.
    pub const DEFAULT: Self = Self(50);

    /// No panic.
    pub const OFF: Self = Self(0);

    /// Panic as soon as a host is missing.
    pub const FULL: Self = Self(100);

    /// Truncates to a whole percent and caps at 100. Negative and not-a-number become 0.
    #[must_use]
    pub const fn from_percent(percent: f64) -> Self {
        // A float-to-integer cast truncates and saturates, which is what is wanted here.
        let whole = percent as u32;
        if whole < 100 { Self(whole) } else { Self(100) }
    }

    /// The threshold in percent.
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

/// The overprovisioning factor in percent: with 140, a priority spills once less than 1/1.4 of its
/// hosts are usable. Any unsigned 32-bit value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverprovisioningFactor(pub u32);

impl OverprovisioningFactor {
    /// Envoy's default.
    pub const DEFAULT: Self = Self(140);
}

impl Default for OverprovisioningFactor {
    fn default() -> Self {
        Self::DEFAULT
    }
}
