//! How many retries are possible at the same time, and how long they wait. Choices of hosts do not depend on it.

use core::time::Duration;

/// How retries at the same time are limited. A request above the limit is not retried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RetryCap {
    /// At most this many (`CircuitBreakers.Thresholds.max_retries`, default 3).
    Most(u32),
    /// A part of the active requests (`retry_budget`).
    Budget {
        /// The part in percent (`budget_percent`, default 20).
        percent: f64,
        /// The number that is always allowed (`min_retry_concurrency`, default 3).
        least: u32,
    },
}

impl RetryCap {
    /// Envoy's default of `max_retries`.
    pub const DEFAULT_MOST: u32 = 3;

    /// Whether no request is ever retried.
    #[must_use]
    pub fn allows_none(&self) -> bool {
        match self {
            Self::Most(most) => *most == 0,
            Self::Budget { percent, least } => *percent <= 0.0 && *least == 0,
        }
    }
}

impl Default for RetryCap {
    fn default() -> Self {
        Self::Most(Self::DEFAULT_MOST)
    }
}

/// How long retries wait (`RetryPolicy.retry_back_off`): a random time below an interval that doubles with each retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryBackOff {
    /// The interval of the first retry (`base_interval`, default 25 ms).
    pub base: Duration,
    /// The longest interval (`max_interval`, default 10 times the base).
    pub most: Duration,
}

impl RetryBackOff {
    /// Envoy's default.
    pub const DEFAULT: Self = Self::with_base(Duration::from_millis(25));

    /// The longest interval is 10 times this one.
    #[must_use]
    pub const fn with_base(base: Duration) -> Self {
        Self {
            base,
            most: base.saturating_mul(10),
        }
    }

    /// The interval of a retry, counted from 0.
    #[must_use]
    pub fn interval(&self, retry: u32) -> Duration {
        let factor = 1_u32.checked_shl(retry);
        let doubled = factor.map_or(self.most, |factor| self.base.saturating_mul(factor));
        doubled.min(self.most)
    }

    /// The longest time that this many retries of a request can wait.
    #[must_use]
    pub fn longest(&self, retries: u32) -> Duration {
        let mut sum = Duration::ZERO;
        for retry in 0..retries {
            let interval = self.interval(retry);
            if interval == self.most {
                return sum.saturating_add(interval.saturating_mul(retries - retry));
            }
            sum = sum.saturating_add(interval);
        }
        sum
    }
}

impl Default for RetryBackOff {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_double_up_to_the_longest() {
        let millis = Duration::from_millis;
        let waits = RetryBackOff::DEFAULT;
        let intervals = [0, 1, 3, 4, 40].map(|retry| waits.interval(retry));
        assert_eq!(intervals, [25, 50, 200, 250, 250].map(millis));
        assert_eq!(waits.longest(3), millis(175));
        assert_eq!(waits.longest(6), millis(25 + 50 + 100 + 200 + 250 + 250));
        assert_eq!(waits.longest(0), Duration::ZERO);
        // No number of retries takes long to sum.
        let endless = RetryBackOff {
            most: Duration::MAX,
            ..waits
        };
        assert_eq!(endless.longest(u32::MAX), Duration::MAX);
    }
}
