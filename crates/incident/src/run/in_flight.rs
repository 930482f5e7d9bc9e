//! Attempts that wait for their timeout while their host already behaves in another way: they still fail.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_core::draw::Draw;

use super::{
    arrivals::Arrivals,
    outcomes::{Outcomes, ResultRun, RowEnd},
};

/// The attempts at one host that changes of its behavior left waiting.
#[derive(Debug, Clone, Default)]
pub(super) struct InFlight {
    /// The timeouts of each change.
    all: Vec<Arrivals>,
    /// Which results of the host are these timeouts, in an order that is picked at random: the requests are independent.
    order: Outcomes,
}

impl InFlight {
    /// The attempts until now keep waiting; no further ones do. The caller advances first.
    pub(super) fn add(&mut self, attempts: &Arrivals) {
        self.all.push(attempts.without_further_attempts());
    }

    /// Whether no attempt waits.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The number of timeouts up to a time.
    pub(super) fn advance(&mut self, now: Duration) -> u64 {
        let timeouts = self.all.iter_mut().map(|of| of.advance(now)).sum();
        self.all.retain(|of| of.time_of(1).is_some());
        timeouts
    }

    /// The order of these timeouts, as failures, and of `present` other results.
    pub(super) fn take(
        &mut self,
        timeouts: u64,
        present: u64,
        draw: &mut impl Draw,
    ) -> Vec<ResultRun> {
        let all = timeouts.saturating_add(present);
        if timeouts == 0 || present == 0 {
            let failed = timeouts > 0;
            return [ResultRun { failed, count: all }].into();
        }
        if self.order.is_certain() {
            self.order.set(timeouts as f64 / all as f64);
        }
        self.order.take(all, draw)
    }

    /// When a row of timeouts can be complete, of which `missing` of `whole` are missing: look again then. `present` is the
    /// number of other results per second.
    pub(super) fn row_end(
        &mut self,
        (missing, whole): (u64, u64),
        present: f64,
        now: Duration,
        draw: &mut impl Draw,
    ) -> Option<Duration> {
        let first = self.all.iter().filter_map(|of| of.time_of(1)).min()?;
        let timeouts: f64 = self.all.iter().map(Arrivals::rate).sum();
        if timeouts <= 0.0 {
            return Some(first);
        }
        let rate = timeouts + present;
        self.order.set(timeouts / rate);
        let (RowEnd::After(results) | RowEnd::NotBefore(results)) =
            self.order.row_end(missing, whole, draw)
        else {
            return None;
        };
        let wait = Duration::try_from_secs_f64(results as f64 / rate).ok()?;
        Some(first.max(now.saturating_add(wait)))
    }
}

#[cfg(test)]
mod tests {
    use spillgate_core::draw::SplitMix64;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// 10 attempts a second from 0 s to 3 s, which wait 2 s: those of the first second are over.
    fn waiting() -> InFlight {
        let mut arrivals = Arrivals::new(Duration::ZERO, 0.0);
        arrivals.set_rate(10.0);
        arrivals.begin(2 * SECOND);
        arrivals.advance(3 * SECOND);
        let mut waiting = InFlight::default();
        waiting.add(&arrivals);
        waiting
    }

    #[test]
    fn attempts_of_a_silent_host_end_after_its_recovery() {
        let mut draw = SplitMix64::new(1);
        let mut waiting = waiting();
        assert_eq!(waiting.advance(4 * SECOND), 10);
        assert!(!waiting.is_empty());
        assert_eq!(waiting.advance(10 * SECOND), 10);
        let taken = waiting.take(10, 30, &mut draw);
        assert_eq!(taken.iter().map(|run| run.count).sum::<u64>(), 40);
        assert!(waiting.is_empty());
    }

    /// The mean number of tosses of a coin to the first four heads in a row is 30.
    #[test]
    fn rows_among_other_results_take_the_known_mean() {
        let runs = 2_000;
        let ends = (0..runs).map(|seed| {
            let mut draw = SplitMix64::new(seed);
            let end = waiting().row_end((4, 4), 10.0, 3 * SECOND, &mut draw);
            end.unwrap().saturating_sub(3 * SECOND).as_secs_f64()
        });
        let mean = ends.sum::<f64>() / runs as f64;
        assert!((mean - 1.5).abs() < 0.1, "{mean}");
    }
}
