//! The time from the result of a check to the next check.

use core::time::Duration;

use spillgate_core::draw::Draw;

use super::ActiveCheck;
use crate::millis::{below, millis};

/// The intervals of a check, with the defaults that depend on other settings filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckIntervals {
    /// After a success of a healthy host, or one that made it healthy (`interval`).
    pub healthy: Duration,
    /// After a success that counts towards `healthy_threshold` (`healthy_edge_interval`).
    pub healthy_edge: Duration,
    /// After a failure of an unhealthy host, or one that made it unhealthy (`unhealthy_interval`).
    pub unhealthy: Duration,
    /// After a failure that counts towards `unhealthy_threshold` (`unhealthy_edge_interval`).
    pub unhealthy_edge: Duration,
    /// After a failure, or a success that counts towards `healthy_threshold`, if the cluster has had no connection
    /// (`no_traffic_interval`).
    pub no_traffic: Duration,
    /// After any other success, if the cluster has had no connection (`no_traffic_healthy_interval`).
    pub no_traffic_healthy: Duration,
}

/// The change that a check made (`HealthTransition`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckTransition {
    /// No change.
    Unchanged,
    /// The flags of the host changed, so that the cluster computes its host lists again.
    Changed,
    /// The result counts towards a threshold that it did not reach.
    ChangePending,
}

impl ActiveCheck {
    /// The intervals, with the defaults that depend on other settings filled in.
    #[must_use]
    pub fn intervals(&self) -> CheckIntervals {
        let unhealthy = self.unhealthy_interval.unwrap_or(self.interval);
        let no_traffic = self.no_traffic_interval;
        CheckIntervals {
            healthy: self.interval,
            healthy_edge: self.healthy_edge_interval.unwrap_or(self.interval),
            unhealthy,
            unhealthy_edge: self.unhealthy_edge_interval.unwrap_or(unhealthy),
            no_traffic,
            no_traffic_healthy: self.no_traffic_healthy_interval.unwrap_or(no_traffic),
        }
    }

    /// The longest jitter of both kinds that is added to an interval.
    #[must_use]
    pub fn longest_jitter(&self, interval: Duration) -> Duration {
        let percent = self.longest_percent_jitter(interval);
        percent.saturating_add(self.longest_fixed_jitter())
    }

    /// The longest time that `interval_jitter_percent` adds to an interval.
    #[must_use]
    pub fn longest_percent_jitter(&self, interval: Duration) -> Duration {
        Duration::from_millis(self.jitter_limit(interval).saturating_sub(1))
    }

    /// The longest time that `interval_jitter` adds to an interval.
    #[must_use]
    pub fn longest_fixed_jitter(&self) -> Duration {
        Duration::from_millis(millis(self.interval_jitter).saturating_sub(1))
    }

    /// The bound of the jitter by percentage, in milliseconds.
    fn jitter_limit(&self, interval: Duration) -> u64 {
        u64::from(self.interval_jitter_percent).saturating_mul(millis(interval)) / 100
    }

    /// The time from the start to the first check.
    pub(super) fn first_wait<D: Draw + ?Sized>(&self, draw: &mut D) -> Duration {
        match millis(self.initial_jitter) {
            0 => Duration::ZERO,
            limit => self.interval_limits.clamp(below(limit, draw)),
        }
    }

    /// The time from a result to the next check. `passed` is the result, and not the health of the host.
    pub(super) fn next_wait<D: Draw + ?Sized>(
        &self,
        passed: bool,
        transition: CheckTransition,
        traffic: bool,
        draw: &mut D,
    ) -> Duration {
        let base = self.intervals().after(passed, transition, traffic);
        let by_percent = below(self.jitter_limit(base), draw);
        let jitter = by_percent.saturating_add(below(millis(self.interval_jitter), draw));
        self.interval_limits.clamp(base.saturating_add(jitter))
    }
}

impl CheckIntervals {
    /// The interval after a result, without jitter and limits. `traffic` is whether the cluster has ever had a
    /// connection for requests.
    #[must_use]
    pub const fn after(
        &self,
        passed: bool,
        transition: CheckTransition,
        traffic: bool,
    ) -> Duration {
        let pending = matches!(transition, CheckTransition::ChangePending);
        match (traffic, passed, pending) {
            (true, true, false) => self.healthy,
            (true, true, true) => self.healthy_edge,
            (true, false, false) => self.unhealthy,
            (true, false, true) => self.unhealthy_edge,
            (false, true, false) => self.no_traffic_healthy,
            (false, ..) => self.no_traffic,
        }
    }
}
