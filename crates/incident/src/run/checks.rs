//! Active health checks in a simulation.

use core::time::Duration;

use spillgate_core::model::HealthFlags;
use spillgate_health::check::{HostAtStart, HostCheckDue, HostCheckFinished, HostChecks};

use super::{
    changes::ChangeKind,
    host::DetectionCause,
    probe::{Probe, passing, probe},
    queue::QueuedEvent,
    simulation::Simulation,
};

/// The next interval starts after the answer. Without its time, checks with an interval of `update_merge_window`, or a
/// multiple of it, keep their place between the updates of the workers. That decides how long an ejection has an effect,
/// because a check that passes ends it.
const ANSWER: Duration = Duration::from_millis(1);

impl Simulation<'_> {
    /// Starts the checks of a new host.
    pub(super) fn start_checks(&mut self, number: usize, start: Duration) {
        let Some(settings) = self.settings_of(number) else {
            return;
        };
        if settings.checks.is_empty() {
            return;
        }
        let at_start = HostAtStart {
            is_pending: settings.ignores_new_hosts,
        };
        let checks = HostChecks::new(&settings.checks, start, at_start, &mut self.draw);
        if let Some(at) = checks.next_at() {
            self.queue.add(at, QueuedEvent::Check { host: number });
        }
        if let Some(host) = self.hosts.get_mut(number) {
            host.checks = Some(checks);
        }
    }

    /// A check of a host is sent, or times out.
    pub(super) fn on_check(&mut self, number: usize) {
        let Some(settings) = self.settings_of(number) else {
            return;
        };
        // An event of an earlier plan finds nothing due, and another event is planned.
        let mut was_due = false;
        loop {
            let (now, traffic) = (self.now, self.had_traffic(number));
            let Some(host) = self.hosts.get_mut(number).filter(|host| host.is_member) else {
                return;
            };
            let behavior = host.behavior;
            let Some(checks) = &mut host.checks else {
                return;
            };
            match checks.on_due(&settings.checks, now, traffic, &mut self.draw) {
                HostCheckDue::Early => break,
                HostCheckDue::TimedOut(finished) => {
                    was_due = true;
                    self.finished_check(number, finished);
                }
                HostCheckDue::Send(checker) => {
                    was_due = true;
                    let Some(check) = settings.checks.get(checker) else {
                        return;
                    };
                    match probe(behavior, check) {
                        Probe::Never => {}
                        Probe::After(delay) => {
                            let event = QueuedEvent::Answer {
                                host: number,
                                checker,
                            };
                            self.queue.add(now.saturating_add(delay), event);
                        }
                        Probe::At(outcome) => {
                            let of = (checker, check);
                            let answer =
                                settings.outlier.as_ref().map_or(Duration::ZERO, |_| ANSWER);
                            let at = now.saturating_add(answer);
                            let done = checks.on_result(of, at, &outcome, traffic, &mut self.draw);
                            if let Some(finished) = done {
                                self.finished_check(number, finished);
                            }
                        }
                    }
                }
            }
        }
        if was_due {
            self.wait_for_check(number);
        }
    }

    /// The answer of a slow host arrived.
    pub(super) fn on_answer(&mut self, number: usize, checker: usize) {
        let Some(settings) = self.settings_of(number) else {
            return;
        };
        let (now, traffic) = (self.now, self.had_traffic(number));
        let host = self.hosts.get_mut(number).filter(|host| host.is_member);
        let (Some(checks), Some(check)) = (
            host.and_then(|host| host.checks.as_mut()),
            settings.checks.get(checker),
        ) else {
            return;
        };
        let outcome = passing(check, false);
        let done = checks.on_result((checker, check), now, &outcome, traffic, &mut self.draw);
        if let Some(finished) = done {
            self.finished_check(number, finished);
            self.wait_for_check(number);
        }
    }

    fn wait_for_check(&mut self, number: usize) {
        if self.is_settled(number) {
            return;
        }
        let host = self.hosts.get(number).filter(|host| host.is_member);
        let checks = host.and_then(|host| host.checks.as_ref());
        if let Some(at) = checks.and_then(HostChecks::next_at) {
            self.queue.add(at, QueuedEvent::Check { host: number });
        }
    }

    /// Whether further checks of a host change nothing: all its checks passed, no event concerns it, and outlier
    /// detection never ejects it.
    fn is_settled(&self, number: usize) -> bool {
        let Some(host) = self.hosts.get(number) else {
            return false;
        };
        let passes =
            |checks: &HostChecks| checks.are_complete() && checks.flags() == HealthFlags::default();
        if host.behavior.is_some()
            || self.plan.concerns(number)
            || !host.checks.as_ref().is_some_and(passes)
        {
            return false;
        }
        // A host without failures is at a threshold of 0 percent.
        let cluster = self.cluster_of(number);
        let detector = cluster.and_then(|cluster| self.detectors.get(&cluster));
        detector.is_none_or(|detector| detector.settings().failure_percentage_threshold > 0)
    }

    fn finished_check(&mut self, number: usize, finished: HostCheckFinished) {
        if finished.passed {
            self.passed_check(number);
        }
        if !finished.changed {
            return;
        }
        let Some(host) = self.hosts.get(number) else {
            return;
        };
        let flags = host.health().flags;
        let (is_listed, fails) = (host.is_listed, flags.failed_active_hc);
        let kind = if fails {
            ChangeKind::ChecksFail
        } else if flags.degraded_active_hc {
            ChangeKind::Degraded
        } else {
            ChangeKind::ChecksPass
        };
        self.changed(number, kind);
        self.start_slowly(number, fails);
        if fails {
            self.noticed(number, DetectionCause::ActiveCheck);
        }
        if !is_listed && fails {
            // A removed host leaves once its checks fail.
            self.leave(number);
        } else {
            self.changed_health(number);
        }
    }
}
