//! The state of one host in outlier detection.

use core::time::Duration;

/// The counters of one kind of results: of responses, or of local origin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct OutlierCounters {
    /// Results of the current interval.
    pub total: u64,
    /// Successes of the current interval.
    pub successes: u64,
}

/// The state of one host (`DetectorHostMonitor`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct HostState {
    /// 5xx responses in a row.
    pub consecutive_5xx: u64,
    /// Responses 502, 503 or 504 in a row.
    pub consecutive_gateway_failure: u64,
    /// Failures without a response in a row.
    pub consecutive_local_origin_failure: u64,
    /// Responses of the current interval.
    pub responses: OutlierCounters,
    /// Connections of the current interval, with `split_external_local_origin_errors`.
    pub local_origin: OutlierCounters,
    /// How often the host has been ejected.
    pub num_ejections: u32,
    /// The ejections.
    pub ejection: BackedOff,
    /// The times of being degraded by `detect_degraded_hosts`.
    pub degradation: BackedOff,
}

/// A state that ends by itself, and lasts longer the more often it begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct BackedOff {
    /// Since when it lasts; `None` if it does not.
    pub since: Option<Duration>,
    /// The next or current duration, in multiples of `base_ejection_time`.
    pub multiplier: u32,
    /// The jitter of the current duration.
    pub jitter: Duration,
    /// When it last ended.
    pub ended: Option<Duration>,
}

impl OutlierCounters {
    pub(super) const fn add(&mut self, count: u64, successful: bool) {
        self.total = self.total.saturating_add(count);
        if successful {
            self.successes = self.successes.saturating_add(count);
        }
    }

    /// The success rate in percent; `None` without results.
    #[must_use]
    pub fn success_rate(self) -> Option<f64> {
        let Self { total, successes } = self;
        (total > 0).then(|| successes as f64 * 100.0 / total as f64)
    }
}

impl HostState {
    /// Whether the host is ejected (`FAILED_OUTLIER_CHECK`).
    #[must_use]
    pub const fn is_ejected(&self) -> bool {
        self.ejection.since.is_some()
    }

    /// Whether the host is degraded (`DEGRADED_OUTLIER_DETECTION`).
    #[must_use]
    pub const fn is_degraded(&self) -> bool {
        self.degradation.since.is_some()
    }

    pub(super) const fn reset_consecutive(&mut self) {
        self.consecutive_5xx = 0;
        self.consecutive_gateway_failure = 0;
        self.consecutive_local_origin_failure = 0;
    }
}
