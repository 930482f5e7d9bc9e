//! Shared by the tests: times, draws, and a checker with its settings.

use std::time::Duration;

use spillgate_core::draw::Draw;
use spillgate_health::check::{
    ActiveCheck, CheckDue, CheckFinished, Checker, HealthCheckKind, HealthCheckOutcome,
    HostAtStart, HttpStatuses,
};
use spillgate_health::outlier::{EjectionAction, OutlierEvent};

pub(crate) const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

pub(crate) const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// These numbers, then zeros.
#[derive(Default)]
pub(crate) struct Numbers(pub Vec<u64>);

impl Draw for Numbers {
    fn draw(&mut self) -> u64 {
        if self.0.is_empty() {
            0
        } else {
            self.0.remove(0)
        }
    }
}

/// No draw is expected.
pub(crate) struct NoDraw;

impl Draw for NoDraw {
    fn draw(&mut self) -> u64 {
        panic!("an unexpected draw")
    }
}

pub(crate) fn http() -> ActiveCheck {
    ActiveCheck::new(HealthCheckKind::Http(HttpStatuses::default()), s(1), s(10))
        .with_thresholds(3, 2)
}

/// A checker with its settings; the cluster has traffic.
pub(crate) struct Run {
    pub check: ActiveCheck,
    pub checker: Checker,
}

impl Run {
    pub(crate) fn new(check: ActiveCheck) -> Self {
        let checker = Checker::new(&check, s(0), HostAtStart::default(), &mut NoDraw);
        Self { check, checker }
    }

    /// The next check with this result at once.
    pub(crate) fn next(&mut self, outcome: HealthCheckOutcome) -> CheckFinished {
        let now = self.checker.next_at();
        let due = self.checker.on_due(&self.check, now, true, &mut NoDraw);
        assert_eq!(due, CheckDue::Send);
        let result = self
            .checker
            .on_result(&self.check, now, &outcome, true, &mut NoDraw);
        result.unwrap()
    }

    /// The next check without a result.
    pub(crate) fn silence(&mut self) -> CheckFinished {
        let now = self.checker.next_at();
        let due = self.checker.on_due(&self.check, now, true, &mut NoDraw);
        assert_eq!(due, CheckDue::Send);
        let now = self.checker.next_at();
        match self.checker.on_due(&self.check, now, true, &mut NoDraw) {
            CheckDue::TimedOut(finished) => finished,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn is_unhealthy(&self) -> bool {
        self.checker.flags().failed_active_hc
    }
}

pub(crate) fn actions(events: &[OutlierEvent]) -> Vec<EjectionAction> {
    events.iter().map(|event| event.action).collect()
}
