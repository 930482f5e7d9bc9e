//! An attempt in two steps: its connection, and its end.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_core::draw::Draw;

use super::{Detector, OutlierEvent, RequestResult, result::Charge};

impl Detector {
    /// The connection of an attempt is open (`onPoolReady`). With `split_external_local_origin_errors`, Envoy counts a
    /// local success at once, and [`Detector::on_end`] the rest; a sweep between them separates the counts.
    pub fn on_connected(&mut self, host: usize) {
        if self.settings.split_external_local_origin_errors {
            self.local_successes(host, 1);
        }
    }

    /// The end of an attempt for which [`Detector::on_connected`] was called, or which had no connection. Both together
    /// are the same as [`Detector::on_result`].
    pub fn on_end<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        host: usize,
        result: RequestResult,
        draw: &mut D,
    ) -> Vec<OutlierEvent> {
        let mut events = Vec::new();
        if self.host(host).is_none() {
            return events;
        }
        let split = self.settings.split_external_local_origin_errors;
        for charge in result.charges(split).into_iter().flatten() {
            match charge {
                Charge::Status(status) => {
                    self.statuses(now, (host, status), 1, draw, &mut events);
                }
                Charge::LocalFailure => self.local_failures(now, host, 1, draw, &mut events),
                Charge::LocalSuccess => {}
            }
        }
        if result.is_degraded() && self.settings.detect_degraded_hosts {
            events.extend(self.degrade(now, host, draw));
        }
        events
    }
}

/// The timeouts of open connections that come one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeoutsInRow {
    /// How many.
    pub count: u64,
    /// Whether no connection was open for another request since the timeout before them.
    pub go_on: bool,
}

impl Detector {
    /// Timeouts of open connections in a row, with `split_external_local_origin_errors`: each connection counts as a local
    /// success when it opens, and the timeouts come later, so that several can follow each other.
    pub fn on_timeouts_in_row<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        host: usize,
        timeouts: TimeoutsInRow,
        draw: &mut D,
    ) -> Vec<OutlierEvent> {
        let mut events = Vec::new();
        if let Some(state) = self.state(host) {
            state.local_origin.add(timeouts.count, true);
            if !timeouts.go_on {
                state.consecutive_local_origin_failure = 0;
            }
        }
        self.local_failures(now, host, timeouts.count, draw, &mut events);
        events
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use spillgate_core::draw::SplitMix64;

    use super::*;
    use crate::outlier::{HostState, OutlierDetection};

    const NOW: Duration = Duration::from_secs(1);

    fn detector(split: bool) -> Detector {
        let settings = OutlierDetection {
            split_external_local_origin_errors: split,
            ..OutlierDetection::default()
        };
        Detector::new(settings, Duration::ZERO, 1)
    }

    fn state(detector: &Detector) -> HostState {
        *detector.host(0).unwrap()
    }

    #[test]
    fn both_steps_are_one_result() {
        let draw = &mut SplitMix64::new(1);
        for split in [false, true] {
            for result in [
                RequestResult::status(200),
                RequestResult::status(503),
                RequestResult::Reset,
                RequestResult::Timeout,
            ] {
                let (mut one, mut two) = (detector(split), detector(split));
                one.on_result(NOW, 0, result, draw);
                two.on_connected(0);
                two.on_end(NOW, 0, result, draw);
                assert_eq!(state(&one), state(&two), "{result:?}");
            }
        }
    }

    #[test]
    fn timeouts_in_a_row_eject_and_connections_between_them_end_the_row() {
        let draw = &mut SplitMix64::new(1);
        let settings = OutlierDetection {
            split_external_local_origin_errors: true,
            consecutive_local_origin_failure: 3,
            enforcing_consecutive_local_origin_failure: 100,
            max_ejection_percent: 100,
            ..OutlierDetection::default()
        };
        let mut detector = Detector::new(settings, Duration::ZERO, 1);
        let mut timeouts = |count, go_on| {
            detector.on_timeouts_in_row(NOW, 0, TimeoutsInRow { count, go_on }, draw);
            (
                state(&detector).consecutive_local_origin_failure,
                detector.is_ejected(0),
            )
        };
        assert_eq!(timeouts(2, false), (2, false));
        assert_eq!(timeouts(2, false), (2, false));
        assert_eq!(timeouts(1, true), (0, true));
        let counters = state(&detector).local_origin;
        assert_eq!((counters.total, counters.successes), (10, 5));
    }

    #[test]
    fn a_sweep_separates_a_connection_from_its_reset() {
        let draw = &mut SplitMix64::new(1);
        let mut detector = detector(true);
        detector.on_connected(0);
        detector.on_sweep(NOW, draw);
        detector.on_end(NOW, 0, RequestResult::Reset, draw);
        let counters = state(&detector).local_origin;
        assert_eq!((counters.total, counters.successes), (1, 0));
    }
}
