//! The limits of all intervals of health checks.

use core::time::Duration;

/// Limits of all intervals, with jitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntervalLimits {
    /// The runtime key `health_check.min_interval`; default 0, but no interval is shorter than 1 ms.
    pub least: Duration,
    /// The runtime key `health_check.max_interval`; by default no limit. `least` has precedence.
    pub most: Duration,
}

impl IntervalLimits {
    /// Envoy's defaults: no limits.
    pub const NONE: Self = Self {
        least: Duration::ZERO,
        most: Duration::MAX,
    };

    /// The interval within these limits.
    #[must_use]
    pub fn clamp(self, interval: Duration) -> Duration {
        let interval = interval.min(self.most).max(self.least);
        interval.max(Duration::from_millis(1))
    }
}
