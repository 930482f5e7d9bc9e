//! How many retries are possible at the same time.

use alloc::{format, string::String};

use spillgate_core::route::{RetryBackOff, RetryCap};

/// What limits the retries of a cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryLimits {
    /// How many can wait or run at the same time.
    pub cap: RetryCap,
    /// How long each one waits.
    pub back_off: RetryBackOff,
}

impl RetryLimits {
    /// How many retries are possible with this many active requests.
    pub(crate) fn places(&self, active: f64) -> f64 {
        match self.cap {
            RetryCap::Most(most) => most.into(),
            RetryCap::Budget { percent, least } => {
                libm::floor(active * percent / 100.0).max(least.into())
            }
        }
    }

    /// Whether it is a limit at all.
    #[cfg(feature = "envoy")]
    pub(crate) fn can_refuse(&self) -> bool {
        self.cap != RetryCap::Most(u32::MAX)
    }

    /// The setting with its value.
    pub(crate) fn text(&self) -> String {
        match self.cap {
            RetryCap::Most(most) => format!("max_retries {most}"),
            RetryCap::Budget { percent, .. } => format!("retry_budget {percent} %"),
        }
    }
}
