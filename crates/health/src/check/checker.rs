//! The state of one checker and one host.

use core::time::Duration;

use spillgate_core::{draw::Draw, model::HealthFlags};

use super::{
    ActiveCheck, CheckEvents, CheckFailureType, CheckLogEvent, CheckTransition, CheckVerdict,
    HealthCheckOutcome,
};

/// A checker of one host (`ActiveHealthCheckSession`). Each call gets the settings that it was created with.
///
/// It has one timer: at [`Checker::next_at`], either a check is sent, or the active check times out. The interval
/// starts with the result, so the period is the interval plus the time of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checker {
    /// When the next check is sent, or the active one times out.
    next_at: Duration,
    /// Whether a check waits for its result.
    is_waiting: bool,
    /// Whether no check has had a result.
    is_first: bool,
    /// Consecutive counted failures.
    failures: u32,
    /// Consecutive successes of an unhealthy host.
    successes: u32,
    flags: HealthFlags,
    has_timed_out: bool,
}

/// The state of a host when its checks start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HostAtStart {
    /// Whether it is excluded until its first check (`common_lb_config.ignore_new_hosts_until_first_hc`).
    pub is_pending: bool,
}

/// What happens at [`Checker::next_at`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckDue {
    /// The checker sends a check now. The caller passes the result to [`Checker::on_result`], if it arrives before
    /// [`Checker::next_at`].
    Send,
    /// The active check timed out.
    TimedOut(CheckFinished),
    /// It is not time yet.
    Early,
}

/// A finished check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckFinished {
    /// Whether the check passed, whatever the health of the host.
    pub passed: bool,
    /// The change that it made.
    pub transition: CheckTransition,
    /// The entries of the event log.
    pub events: CheckEvents,
}

impl Checker {
    /// A checker of a new host, which is unhealthy until its first check. Without `initial_jitter`, this check is sent
    /// at `start`.
    #[must_use]
    pub fn new<D: Draw + ?Sized>(
        check: &ActiveCheck,
        start: Duration,
        host: HostAtStart,
        draw: &mut D,
    ) -> Self {
        Self {
            next_at: start.saturating_add(check.first_wait(draw)),
            is_waiting: false,
            is_first: true,
            failures: 0,
            successes: 0,
            flags: HealthFlags {
                failed_active_hc: true,
                pending_active_hc: host.is_pending,
                ..HealthFlags::default()
            },
            has_timed_out: false,
        }
    }

    /// When the next check is sent, or the active one times out.
    #[must_use]
    pub const fn next_at(&self) -> Duration {
        self.next_at
    }

    /// Whether no check has had a result. A cluster is warm when this is false for all hosts.
    #[must_use]
    pub const fn is_first(&self) -> bool {
        self.is_first
    }

    /// The flags of active health checks; those of other origins are not set.
    #[must_use]
    pub const fn flags(&self) -> HealthFlags {
        self.flags
    }

    /// Whether the host is unhealthy because its last check timed out (`ACTIVE_HC_TIMEOUT`).
    #[must_use]
    pub const fn has_timed_out(&self) -> bool {
        self.has_timed_out
    }

    /// Call it at [`Checker::next_at`]. `traffic` is whether the cluster has ever had a connection for requests.
    pub fn on_due<D: Draw + ?Sized>(
        &mut self,
        check: &ActiveCheck,
        now: Duration,
        traffic: bool,
        draw: &mut D,
    ) -> CheckDue {
        if now < self.next_at {
            return CheckDue::Early;
        }
        if !self.is_waiting {
            self.is_waiting = true;
            self.next_at = now.saturating_add(check.timeout);
            return CheckDue::Send;
        }
        let failure = Failed {
            kind: CheckFailureType::NetworkTimeout,
            at_once: false,
            status: 0,
        };
        let finished = self.fail(check, failure);
        self.wait(check, now, finished, traffic, draw);
        CheckDue::TimedOut(finished)
    }

    /// The result of the active check; `None` if no check is active, or if it has timed out.
    pub fn on_result<D: Draw + ?Sized>(
        &mut self,
        check: &ActiveCheck,
        now: Duration,
        outcome: &HealthCheckOutcome,
        traffic: bool,
        draw: &mut D,
    ) -> Option<CheckFinished> {
        if !self.is_waiting {
            return None;
        }
        let verdict = outcome.verdict(check);
        let finished = match verdict.failure_type() {
            None => self.pass(check, verdict == CheckVerdict::Pass { degraded: true }),
            Some(kind) => {
                self.flags.excluded_via_immediate_hc_fail |= outcome.excludes();
                let failure = Failed {
                    kind,
                    at_once: verdict == CheckVerdict::Fail,
                    status: outcome.logged_status(),
                };
                self.fail(check, failure)
            }
        };
        self.wait(check, now, finished, traffic, draw);
        Some(finished)
    }

    /// A response to a request had the header `x-envoy-immediate-health-check-fail`. The host is excluded and
    /// unhealthy at once; the timer of its checks does not change.
    pub fn on_passive_failure(&mut self, check: &ActiveCheck) -> CheckFinished {
        self.flags.excluded_via_immediate_hc_fail = true;
        let failure = Failed {
            kind: CheckFailureType::Passive,
            at_once: true,
            status: 0,
        };
        self.fail(check, failure)
    }

    fn wait<D: Draw + ?Sized>(
        &mut self,
        check: &ActiveCheck,
        now: Duration,
        finished: CheckFinished,
        traffic: bool,
        draw: &mut D,
    ) {
        let wait = check.next_wait(finished.passed, finished.transition, traffic, draw);
        self.is_waiting = false;
        self.next_at = now.saturating_add(wait);
    }

    /// `handleSuccess`.
    fn pass(&mut self, check: &ActiveCheck, degraded: bool) -> CheckFinished {
        self.failures = 0;
        let mut events = CheckEvents::default();
        let mut transition = CheckTransition::Unchanged;
        if self.flags.failed_active_hc {
            self.successes = self.successes.saturating_add(u32::from(!self.is_first));
            if self.is_first || self.successes == check.healthy_threshold {
                self.flags.failed_active_hc = false;
                self.flags.excluded_via_immediate_hc_fail = false;
                self.has_timed_out = false;
                transition = CheckTransition::Changed;
                events.add(CheckLogEvent::AddHealthy {
                    first_check: self.is_first,
                });
            } else {
                transition = CheckTransition::ChangePending;
            }
        }
        if transition != CheckTransition::Changed && check.always_log_health_check_success {
            events.add(CheckLogEvent::Success);
        }
        transition = self.leave_pending(transition);
        if degraded != self.flags.degraded_active_hc {
            self.flags.degraded_active_hc = degraded;
            events.add(if degraded {
                CheckLogEvent::Degraded
            } else {
                CheckLogEvent::NoLongerDegraded
            });
            // A pending change stays pending: the host is unhealthy, so that degraded has no effect yet.
            if transition == CheckTransition::Unchanged {
                transition = CheckTransition::Changed;
            }
        }
        self.is_first = false;
        CheckFinished {
            passed: true,
            transition,
            events,
        }
    }

    /// `setUnhealthy`.
    fn fail(&mut self, check: &ActiveCheck, failure: Failed) -> CheckFinished {
        let Failed {
            kind,
            at_once,
            status,
        } = failure;
        self.successes = 0;
        let mut events = CheckEvents::default();
        let mut transition = CheckTransition::Unchanged;
        if !self.flags.failed_active_hc {
            let counts = kind.is_network() || !at_once;
            self.failures = self.failures.saturating_add(u32::from(counts));
            if !counts || self.failures == check.unhealthy_threshold {
                self.flags.failed_active_hc = true;
                transition = CheckTransition::Changed;
                events.add(CheckLogEvent::EjectUnhealthy {
                    failure: kind,
                    status,
                });
            } else {
                transition = CheckTransition::ChangePending;
            }
        }
        let timed_out = kind == CheckFailureType::NetworkTimeout;
        self.has_timed_out = timed_out && self.flags.failed_active_hc;
        transition = self.leave_pending(transition);
        if self.is_first || check.always_log_health_check_failures {
            events.add(CheckLogEvent::Failure {
                failure: kind,
                first_check: self.is_first,
                status,
            });
        }
        self.is_first = false;
        CheckFinished {
            passed: false,
            transition,
            events,
        }
    }

    /// The first result ends the exclusion of a pending host, which changes the host lists.
    const fn leave_pending(&mut self, transition: CheckTransition) -> CheckTransition {
        if self.flags.pending_active_hc {
            self.flags.pending_active_hc = false;
            return CheckTransition::Changed;
        }
        transition
    }
}

/// A failed check.
#[derive(Debug, Clone, Copy)]
struct Failed {
    kind: CheckFailureType,
    /// Whether it makes the host unhealthy whatever the threshold.
    at_once: bool,
    /// The HTTP status; 0 without a response.
    status: u16,
}
