//! Ejections: their limit, their duration, and their end.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_core::draw::Draw;

use super::{Detector, EjectionAction, OutlierEjectionType as Type, OutlierEvent, host::BackedOff};
use crate::millis::{below, happens, millis};

impl Detector {
    /// A row of failures reached its threshold (`onConsecutiveErrorWorker`). The row starts again, unless the host is
    /// already ejected.
    pub(super) fn consecutive<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        host: usize,
        kind: Type,
        draw: &mut D,
        events: &mut Vec<OutlierEvent>,
    ) {
        if self.is_ejected(host) {
            return;
        }
        events.extend(self.eject(now, host, kind, draw));
        if let Some(state) = self.state(host) {
            match kind {
                Type::Consecutive5xx => state.consecutive_5xx = 0,
                Type::ConsecutiveGatewayFailure => state.consecutive_gateway_failure = 0,
                _ => state.consecutive_local_origin_failure = 0,
            }
        }
    }

    /// A host was found to be an outlier (`ejectHost`). As in Envoy, a host that the same sweep ejected for its
    /// success rate is ejected again for its failure percentage, and counts twice.
    pub(super) fn eject<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        host: usize,
        kind: Type,
        draw: &mut D,
    ) -> Option<OutlierEvent> {
        self.host(host)?;
        let action = if !self.settings.has_room(self.active, self.present) {
            EjectionAction::Overflow(kind)
        } else if !happens(self.settings.enforcing(kind), draw) {
            EjectionAction::NotEnforced(kind)
        } else {
            self.active += 1;
            let (base, longest) = (
                self.settings.base_ejection_time,
                self.settings.longest_ejection(),
            );
            let jitter = self.settings.max_ejection_time_jitter;
            let state = self.state(host)?;
            state.num_ejections = state.num_ejections.saturating_add(1);
            state.ejection.begin(now, (base, longest), jitter, draw);
            EjectionAction::Eject {
                kind,
                num_ejections: state.num_ejections,
                duration: state.ejection.duration(base, longest),
            }
        };
        Some(OutlierEvent { host, action })
    }

    /// Ends an ejection (`unejectHost`): all rows of failures start again.
    pub(super) fn uneject(&mut self, now: Duration, host: usize) -> OutlierEvent {
        self.active = self.active.saturating_sub(1);
        if let Some(state) = self.state(host) {
            state.ejection.end(now);
            state.reset_consecutive();
        }
        OutlierEvent {
            host,
            action: EjectionAction::Uneject,
        }
    }

    /// Makes a host degraded, which `max_ejection_percent` does not limit. An ejected host can become degraded too.
    pub(super) fn degrade<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        host: usize,
        draw: &mut D,
    ) -> Option<OutlierEvent> {
        let (base, longest) = (
            self.settings.base_ejection_time,
            self.settings.longest_ejection(),
        );
        let jitter = self.settings.max_ejection_time_jitter;
        let state = self.state(host)?;
        if state.is_degraded() {
            return None;
        }
        state.degradation.begin(now, (base, longest), jitter, draw);
        let duration = state.degradation.duration(base, longest);
        Some(OutlierEvent {
            host,
            action: EjectionAction::Degrade { duration },
        })
    }
}

/// The time of a sweep, and the times that it compares.
pub(super) struct SweepTime {
    pub(super) now: Duration,
    pub(super) base: Duration,
    pub(super) longest: Duration,
    pub(super) interval: Duration,
    /// Whether the sweep comes before times that end with it: Envoy's timers are exact to some milliseconds only.
    pub(super) is_early: bool,
}

impl SweepTime {
    fn has_passed(&self, from: Duration, time: Duration) -> bool {
        let passed = self.now.saturating_sub(from);
        time < passed || (time == passed && !self.is_early)
    }
}

impl BackedOff {
    /// Begins, or begins again.
    fn begin<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        (base, longest): (Duration, Duration),
        most_jitter: Duration,
        draw: &mut D,
    ) {
        self.since = Some(now);
        self.jitter = match millis(most_jitter) {
            0 => Duration::ZERO,
            most => below(most.saturating_add(1), draw),
        };
        // One more multiple than the limit has, so that the limit is reached.
        if base.saturating_mul(self.multiplier) < longest.saturating_add(base) {
            self.multiplier = self.multiplier.saturating_add(1);
        }
    }

    /// How long it lasts, until the next sweep.
    #[must_use]
    pub fn duration(&self, base: Duration, longest: Duration) -> Duration {
        let time = base.saturating_mul(self.multiplier).min(longest);
        time.saturating_add(self.jitter)
    }

    pub(super) const fn end(&mut self, now: Duration) {
        self.since = None;
        self.ended = Some(now);
    }

    /// Whether it is over in a sweep.
    pub(super) fn is_over(&self, sweep: &SweepTime) -> bool {
        self.since.is_some_and(|since| {
            let time = self.duration(sweep.base, sweep.longest);
            sweep.has_passed(since, time)
        })
    }

    /// Decreases the multiplier in each sweep that is at least an interval after the end.
    pub(super) fn decay(&mut self, sweep: &SweepTime) {
        let ended = self.ended.filter(|_| self.since.is_none());
        if ended.is_some_and(|ended| sweep.has_passed(ended, sweep.interval)) {
            self.multiplier = self.multiplier.saturating_sub(1);
        }
    }

    /// Whether a time ends in this sweep to the millisecond.
    pub(super) fn ends_exactly(&self, sweep: &SweepTime) -> bool {
        let (from, time) = match (self.since, self.ended) {
            (Some(since), _) => (since, self.duration(sweep.base, sweep.longest)),
            (None, Some(ended)) if self.multiplier > 0 => (ended, sweep.interval),
            (None, _) => return false,
        };
        sweep.now.saturating_sub(from) == time
    }
}
