//! How long active health checks take to notice that a host failed, and that it works again.

use core::time::Duration;

use super::TimeSum;
use crate::check::{ActiveCheck, CheckIntervals};

/// How a host fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostFailure {
    /// It answers with a status that is neither expected nor retriable, or is not `SERVING`.
    Unexpected,
    /// It answers with a retriable status, at once.
    Retriable,
    /// It refuses connections, at once.
    Refused,
    /// It does not answer.
    Silent,
}

/// The shortest and the longest time, without the time of an answer. Where in the interval a host fails decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimeRange {
    /// The time if the next check is sent right after the change.
    pub least: TimeSum,
    /// The time if a check passed right before the change, with the longest jitter.
    pub most: TimeSum,
}

/// The time from the failure of a healthy host until its checks make it unhealthy; `None` if they never do, because
/// `unhealthy_threshold` is 0. `traffic` is whether the cluster has had a connection before.
///
/// # Examples
/// ```
/// use core::time::Duration;
/// use spillgate_health::check::{ActiveCheck, HealthCheckKind};
/// use spillgate_health::times::{HostFailure, detection_time};
///
/// let second = Duration::from_secs(1);
/// let check = ActiveCheck::new(HealthCheckKind::Tcp, second, 5 * second).with_thresholds(3, 2);
/// let time = detection_time(&check, HostFailure::Silent, true).unwrap();
/// assert_eq!((time.least.total(), time.most.total()), (13 * second, 18 * second));
/// assert_eq!(time.most.to_string(), "interval 5s + 2 x interval 5s + 3 x timeout 1s");
/// ```
#[must_use]
pub fn detection_time(
    check: &ActiveCheck,
    failure: HostFailure,
    traffic: bool,
) -> Option<TimeRange> {
    let checks = match failure {
        HostFailure::Unexpected => 1,
        _ => check.unhealthy_threshold,
    };
    let between = Waits::after_failures(check, traffic);
    let first = Waits::of_healthy_host(check, traffic);
    let timeouts = match failure {
        HostFailure::Silent => checks,
        _ => 0,
    };
    range(check, checks, [first, between], timeouts)
}

/// The time from the recovery of an unhealthy host until its checks make it healthy; `None` if they never do, because
/// `healthy_threshold` is 0. `failure` is how it failed before: a silent host can have a check that waits for its
/// timeout.
#[must_use]
pub fn recovery_time(
    check: &ActiveCheck,
    failure: HostFailure,
    traffic: bool,
) -> Option<TimeRange> {
    let between = Waits::after_successes(check, traffic);
    let first = Waits::of_unhealthy_host(check, traffic);
    let mut range = range(check, check.healthy_threshold, [first, between], 0)?;
    if failure == HostFailure::Silent {
        range.most.add("timeout", check.timeout, 1);
    }
    Some(range)
}

/// A wait between checks: the setting that has its value, and the value.
#[derive(Clone, Copy)]
struct Waits {
    field: &'static str,
    value: Duration,
}

impl Waits {
    fn of_healthy_host(check: &ActiveCheck, traffic: bool) -> Self {
        let CheckIntervals {
            healthy,
            no_traffic_healthy,
            ..
        } = check.intervals();
        if traffic {
            Self::new("interval", healthy)
        } else if check.no_traffic_healthy_interval.is_some() {
            Self::new("no_traffic_healthy_interval", no_traffic_healthy)
        } else {
            Self::new("no_traffic_interval", no_traffic_healthy)
        }
    }

    fn of_unhealthy_host(check: &ActiveCheck, traffic: bool) -> Self {
        if !traffic {
            return Self::new("no_traffic_interval", check.no_traffic_interval);
        }
        match check.unhealthy_interval {
            Some(value) => Self::new("unhealthy_interval", value),
            None => Self::new("interval", check.interval),
        }
    }

    fn after_failures(check: &ActiveCheck, traffic: bool) -> Self {
        match check.unhealthy_edge_interval.filter(|_| traffic) {
            Some(value) => Self::new("unhealthy_edge_interval", value),
            None => Self::of_unhealthy_host(check, traffic),
        }
    }

    fn after_successes(check: &ActiveCheck, traffic: bool) -> Self {
        if !traffic {
            return Self::new("no_traffic_interval", check.no_traffic_interval);
        }
        match check.healthy_edge_interval {
            Some(value) => Self::new("healthy_edge_interval", value),
            None => Self::new("interval", check.interval),
        }
    }

    const fn new(field: &'static str, value: Duration) -> Self {
        Self { field, value }
    }

    /// The wait within the limits of the runtime.
    fn least(self, check: &ActiveCheck) -> Duration {
        check.interval_limits.clamp(self.value)
    }

    /// The time that each kind of jitter can add, within the limits.
    fn jitter(self, check: &ActiveCheck) -> [(&'static str, Duration); 2] {
        let longest = self.value.saturating_add(check.longest_jitter(self.value));
        let longest = check.interval_limits.clamp(longest);
        let room = longest.saturating_sub(self.least(check));
        let percent = check.longest_percent_jitter(self.value).min(room);
        [
            ("interval_jitter_percent", percent),
            ("interval_jitter", room.saturating_sub(percent)),
        ]
    }
}

/// The time of `checks` checks of which the first one follows `first`, and each other one `between`.
fn range(
    check: &ActiveCheck,
    checks: u32,
    [first, between]: [Waits; 2],
    timeouts: u32,
) -> Option<TimeRange> {
    let more = checks.checked_sub(1)?;
    let mut range = TimeRange::default();
    range.most.add(first.field, first.least(check), 1);
    for sum in [&mut range.least, &mut range.most] {
        sum.add(between.field, between.least(check), more);
        sum.add("timeout", check.timeout, timeouts);
    }
    for (wait, times) in [(first, 1), (between, more)] {
        for (field, jitter) in wait.jitter(check) {
            range.most.add(field, jitter, times);
        }
    }
    Some(range)
}
