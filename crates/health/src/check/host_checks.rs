//! All checkers of one host: with several, the host is healthy if all of them pass.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_core::{draw::Draw, model::HealthFlags};

use super::{ActiveCheck, CheckDue, CheckFinished, Checker, HealthCheckOutcome, HostAtStart};

/// The checkers of one host, in the order of the cluster's `health_checks`, which each call gets.
///
/// Each checker has its own thresholds and timers. The host has failed, is degraded or pending if it is for any
/// checker (`HealthCheckerGroup`, since Envoy 1.40; earlier versions accept one checker).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostChecks {
    checkers: Vec<Checker>,
    flags: HealthFlags,
}

/// A finished check of one of the checkers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostCheckFinished {
    /// The index of the checker.
    pub checker: usize,
    /// The result for this checker.
    pub check: CheckFinished,
    /// Whether the cluster computes its host lists again: the flags of the host changed. Before each checker has had
    /// a result, it does not.
    pub changed: bool,
    /// Whether outlier detection gets a success
    /// ([`Detector::on_health_check`](crate::outlier::Detector::on_health_check)): all checkers have had a result and
    /// the host is healthy. With one checker, its check must have passed.
    pub passed: bool,
}

/// What is due at [`HostChecks::next_at`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostCheckDue {
    /// This checker sends a check now.
    Send(usize),
    /// The active check of a checker timed out.
    TimedOut(HostCheckFinished),
    /// It is not time yet, or the host has no checker.
    Early,
}

impl HostChecks {
    /// The checkers of a new host.
    #[must_use]
    pub fn new<D: Draw + ?Sized>(
        checks: &[ActiveCheck],
        start: Duration,
        host: HostAtStart,
        draw: &mut D,
    ) -> Self {
        let checkers: Vec<Checker> = checks
            .iter()
            .map(|check| Checker::new(check, start, host, draw))
            .collect();
        let flags = checkers
            .first()
            .map_or_else(HealthFlags::default, Checker::flags);
        Self { checkers, flags }
    }

    /// The checkers, in order.
    #[must_use]
    pub fn checkers(&self) -> &[Checker] {
        &self.checkers
    }

    /// The flags of the host.
    #[must_use]
    pub const fn flags(&self) -> HealthFlags {
        self.flags
    }

    /// Whether each checker has had a result. A cluster is warm when this holds for all hosts.
    #[must_use]
    pub fn are_complete(&self) -> bool {
        !self.checkers.iter().any(Checker::is_first)
    }

    /// The earliest time at which a checker sends a check or an active check times out; `None` without checkers.
    #[must_use]
    pub fn next_at(&self) -> Option<Duration> {
        self.checkers.iter().map(Checker::next_at).min()
    }

    /// Call it at [`HostChecks::next_at`], until it is [`HostCheckDue::Early`]: several checkers can be due.
    pub fn on_due<D: Draw + ?Sized>(
        &mut self,
        checks: &[ActiveCheck],
        now: Duration,
        traffic: bool,
        draw: &mut D,
    ) -> HostCheckDue {
        let each = self.checkers.iter_mut().zip(checks).enumerate();
        let due = each.map(|(index, (checker, check))| {
            (index, checker.on_due(check, now, traffic, &mut *draw))
        });
        let mut due = due.filter(|(_, due)| *due != CheckDue::Early);
        match due.next() {
            Some((index, CheckDue::TimedOut(check))) => {
                HostCheckDue::TimedOut(self.finish(index, check))
            }
            Some((index, CheckDue::Send)) => HostCheckDue::Send(index),
            _ => HostCheckDue::Early,
        }
    }

    /// The result of a checker's active check; `None` if it has none.
    pub fn on_result<D: Draw + ?Sized>(
        &mut self,
        (index, check): (usize, &ActiveCheck),
        now: Duration,
        outcome: &HealthCheckOutcome,
        traffic: bool,
        draw: &mut D,
    ) -> Option<HostCheckFinished> {
        let checker = self.checkers.get_mut(index)?;
        let finished = checker.on_result(check, now, outcome, traffic, draw)?;
        Some(self.finish(index, finished))
    }

    /// A response to a request had the header `x-envoy-immediate-health-check-fail`: Envoy informs the first checker.
    pub fn on_passive_failure(&mut self, checks: &[ActiveCheck]) -> Option<HostCheckFinished> {
        let checker = self.checkers.first_mut()?;
        let finished = checker.on_passive_failure(checks.first()?);
        Some(self.finish(0, finished))
    }

    /// Sums up the checkers after one of them finished a check.
    fn finish(&mut self, index: usize, check: CheckFinished) -> HostCheckFinished {
        let before = self.flags;
        let complete = self.are_complete();
        let all = || self.checkers.iter().map(Checker::flags);
        let is_one = self.checkers.len() == 1;
        self.flags = HealthFlags {
            failed_active_hc: all().any(|flags| flags.failed_active_hc),
            degraded_active_hc: all().any(|flags| flags.degraded_active_hc),
            pending_active_hc: !complete,
            excluded_via_immediate_hc_fail: all().any(|flags| flags.excluded_via_immediate_hc_fail),
            ..HealthFlags::default()
        };
        let changed = if is_one {
            check.transition == super::CheckTransition::Changed
        } else {
            complete && before != self.flags
        };
        HostCheckFinished {
            checker: index,
            check,
            changed,
            passed: complete && !self.flags.failed_active_hc && (check.passed || !is_one),
        }
    }
}
