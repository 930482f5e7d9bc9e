//! How an attempt at a host ends, by its behavior and the timeouts.

use core::time::Duration;

use spillgate_core::route::RetryPolicy;

use crate::script::{ErrorAnswers, HostBehavior};

/// Why an attempt fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FailureKind {
    /// The connection is refused.
    Connect,
    /// The host answers with this status, 400 to 599.
    Response(u16),
    /// `per_try_timeout`, after this time.
    PerTryTimeout(Duration),
    /// The timeout of the route, after this time. It is never retried.
    RouteTimeout(Duration),
    /// The request never ends: the route has no timeout.
    Endless,
}

/// How attempts at a host end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outlook {
    /// The probability of a failure, 0 to 1.
    pub(crate) fails: f64,
    pub(crate) kind: FailureKind,
    /// How late it answers otherwise.
    pub(crate) answers_after: Duration,
}

/// The timeouts of requests; `None` for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The timeout of the route (`RouteAction.timeout`, default 15 s).
    pub route: Option<Duration>,
    /// The timeout of an attempt (`RetryPolicy.per_try_timeout`, default none).
    pub per_try: Option<Duration>,
}

impl Default for Timeouts {
    /// Envoy's defaults.
    fn default() -> Self {
        Self {
            route: Some(Duration::from_secs(15)),
            per_try: None,
        }
    }
}

impl Timeouts {
    /// No timeouts.
    pub const NONE: Self = Self {
        route: None,
        per_try: None,
    };
}

impl Outlook {
    /// A host that answers all requests.
    pub(crate) const WORKS: Self = Self {
        fails: 0.0,
        kind: FailureKind::Response(500),
        answers_after: Duration::ZERO,
    };

    /// The outlook of a host with this behavior; a flapping host is in its failing part. Answers take the service time,
    /// if it is stated, and can be too late for the timeouts.
    pub(crate) fn new(
        behavior: Option<HostBehavior>,
        timeouts: Timeouts,
        service_time: Option<Duration>,
    ) -> Self {
        let failing = |kind| Self {
            fails: 1.0,
            kind,
            ..Self::WORKS
        };
        let (answers, answers_after) = match behavior {
            Some(HostBehavior::Refuse | HostBehavior::Flap(_)) => {
                return failing(FailureKind::Connect);
            }
            Some(HostBehavior::Silent) => {
                return failing(timeouts.end(None).unwrap_or(FailureKind::Endless));
            }
            Some(HostBehavior::Slow(delay)) => {
                let answers = Self {
                    answers_after: delay,
                    ..Self::WORKS
                };
                (
                    answers,
                    service_time.map_or(Some(delay), |time| Some(time.max(delay))),
                )
            }
            Some(HostBehavior::Errors(ErrorAnswers { part, status })) => {
                let answers = Self {
                    fails: part,
                    kind: FailureKind::Response(status),
                    ..Self::WORKS
                };
                (answers, service_time)
            }
            Some(HostBehavior::Degraded | HostBehavior::Remove | HostBehavior::Add) | None => {
                (Self::WORKS, service_time)
            }
        };
        let ended = answers_after.and_then(|time| timeouts.end(Some(time)));
        ended.map_or(answers, failing)
    }
}

impl Outlook {
    /// Whether requests wait for its answers.
    pub(crate) fn is_late(&self) -> bool {
        !self.takes(Duration::ZERO).is_zero()
    }

    /// How long an attempt takes; a host that answers in time takes the service time.
    pub(crate) fn takes(&self, service_time: Duration) -> Duration {
        if !self.answers_after.is_zero() {
            return self.answers_after;
        }
        match self.kind {
            FailureKind::Connect if self.fails > 0.0 => Duration::ZERO,
            FailureKind::PerTryTimeout(_) | FailureKind::RouteTimeout(_) | FailureKind::Endless => {
                self.kind.after()
            }
            FailureKind::Connect | FailureKind::Response(_) => service_time,
        }
    }
}

impl Timeouts {
    /// The timeout that ends an attempt with this service time; `None` if none does.
    fn end(self, service: Option<Duration>) -> Option<FailureKind> {
        let ends = |timeout: &Duration| service.is_none_or(|service| service >= *timeout);
        let per_try = self.per_try.filter(ends);
        let route = self.route.filter(ends);
        match (per_try, route) {
            (Some(per_try), Some(route)) if per_try < route => {
                Some(FailureKind::PerTryTimeout(per_try))
            }
            (_, Some(route)) => Some(FailureKind::RouteTimeout(route)),
            (Some(per_try), None) => Some(FailureKind::PerTryTimeout(per_try)),
            (None, None) => None,
        }
    }
}

/// Whether Envoy counts a status as a failure (`5xx`, `consecutive_5xx`).
pub(crate) const fn is_server_error(status: u16) -> bool {
    matches!(status, 500..=599)
}

/// Whether Envoy counts a status as a failure of a gateway (`gateway-error`, `consecutive_gateway_failure`).
pub(crate) const fn is_gateway_error(status: u16) -> bool {
    matches!(status, 502..=504)
}

impl FailureKind {
    /// Whether a retry policy retries it.
    pub(crate) fn is_retried(self, policy: &RetryPolicy) -> bool {
        let has = |wanted: &[&str]| {
            let mut stated = policy.retry_on.split(',').map(str::trim);
            stated.any(|condition| wanted.contains(&condition))
        };
        match self {
            Self::Connect => policy.retries_failed_connections(),
            Self::Response(status) => {
                has(&["5xx"]) && is_server_error(status)
                    || has(&["retriable-4xx"]) && status == 409
                    || has(&["gateway-error"]) && is_gateway_error(status)
                    || has(&["retriable-status-codes"]) && policy.status_codes.contains(&status)
            }
            Self::PerTryTimeout(_) => has(&["5xx", "gateway-error", "reset"]),
            Self::RouteTimeout(_) | Self::Endless => false,
        }
    }

    /// Whether no answer comes in time.
    pub(crate) const fn is_timeout(self) -> bool {
        matches!(self, Self::PerTryTimeout(_) | Self::RouteTimeout(_))
    }

    /// The time from the start of the attempt to the failure.
    pub(crate) const fn after(self) -> Duration {
        match self {
            Self::Connect | Self::Response(_) => Duration::ZERO,
            Self::PerTryTimeout(time) | Self::RouteTimeout(time) => time,
            Self::Endless => Duration::MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: ErrorAnswers = ErrorAnswers {
        part: 0.5,
        ..ErrorAnswers::ALL
    };

    #[test]
    fn the_shorter_timeout_ends_an_attempt() {
        let seconds = Duration::from_secs;
        let timeouts = |per_try| Timeouts {
            per_try,
            ..Timeouts::default()
        };
        let end = |per_try, behavior| Outlook::new(Some(behavior), timeouts(per_try), None).kind;
        let route = FailureKind::RouteTimeout(seconds(15));
        assert_eq!(end(None, HostBehavior::Silent), route);
        assert_eq!(end(Some(seconds(20)), HostBehavior::Silent), route);
        let per_try = FailureKind::PerTryTimeout(seconds(1));
        assert_eq!(
            end(Some(seconds(1)), HostBehavior::Slow(seconds(2))),
            per_try
        );
        let slow = Outlook::new(Some(HostBehavior::Slow(seconds(2))), timeouts(None), None);
        assert_eq!((slow.fails, slow.answers_after), (0.0, seconds(2)));
        for behavior in [None, Some(HostBehavior::Errors(HALF))] {
            let of = |service| Outlook::new(behavior, timeouts(None), Some(seconds(service)));
            assert_eq!((of(15).fails, of(15).kind), (1.0, route));
            assert_eq!(of(14), Outlook::new(behavior, timeouts(None), None));
        }
    }

    #[test]
    fn conditions_decide_retries() {
        let policy = |text: &str| RetryPolicy {
            retry_on: text.into(),
            status_codes: [503].into(),
            ..RetryPolicy::NONE
        };
        let second = Duration::from_secs(1);
        for (kind, text, retried) in [
            (FailureKind::Connect, "connect-failure", true),
            (FailureKind::Connect, "retriable-4xx", false),
            (FailureKind::Response(500), "gateway-error", false),
            (FailureKind::Response(504), "gateway-error", true),
            (FailureKind::Response(505), "gateway-error", false),
            (FailureKind::Response(500), "reset, 5xx", true),
            (FailureKind::Response(429), "5xx, retriable-4xx", false),
            (FailureKind::Response(409), "retriable-4xx", true),
            (FailureKind::Response(503), "retriable-status-codes", true),
            (FailureKind::Response(500), "retriable-status-codes", false),
            (FailureKind::PerTryTimeout(second), "reset", true),
            (FailureKind::PerTryTimeout(second), "connect-failure", false),
            (FailureKind::RouteTimeout(second), "5xx", false),
        ] {
            assert_eq!(kind.is_retried(&policy(text)), retried, "{kind:?} {text}");
        }
    }
}
