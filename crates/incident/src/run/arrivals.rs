//! The results of the requests of one host: evenly spaced, with a phase that the seed draws. Timeouts come later than their
//! requests.

use alloc::collections::VecDeque;
use core::time::Duration;

/// The longest wait for an arrival.
const LONGEST: f64 = 1e9;

/// Counts the results of the attempts that a host gets.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Arrivals {
    /// Expected results since the start, with the phase.
    expected: f64,
    /// Those that have been counted.
    counted: u64,
    /// Results per second.
    rate: f64,
    /// Until when the counts are up to date.
    at: Duration,
    /// Attempts per second.
    attempts: f64,
    /// How long after its attempt a result comes: a timeout.
    delay: Duration,
    /// Later rates of results, by time.
    changes: VecDeque<(Duration, f64)>,
}

impl Arrivals {
    /// Results from a time on; `phase` is the part of a spacing before it, 0 to 1.
    pub(super) fn new(at: Duration, phase: f64) -> Self {
        Self {
            expected: phase,
            at,
            ..Self::default()
        }
    }

    /// Counts up to a time, and returns the new results.
    pub(super) fn advance(&mut self, now: Duration) -> u64 {
        while let Some((time, rate)) = self.changes.front().copied()
            && time <= now
        {
            self.changes.pop_front();
            self.pass(time);
            self.rate = rate;
        }
        self.pass(now);
        // The time of a result is rounded, so that the expectation can miss it by less than this.
        let whole = libm::floor(self.expected + 1e-6).max(0.0) as u64;
        let new = whole.saturating_sub(self.counted);
        self.counted = self.counted.max(whole);
        new
    }

    fn pass(&mut self, to: Duration) {
        self.expected += self.rate * to.saturating_sub(self.at).as_secs_f64();
        self.at = self.at.max(to);
    }

    /// Changes the attempts per second. The caller advances first.
    pub(super) fn set_rate(&mut self, attempts: f64) {
        if attempts == self.attempts {
            return;
        }
        self.attempts = attempts;
        if self.delay.is_zero() {
            self.rate = attempts;
        } else {
            let time = self.at.saturating_add(self.delay);
            self.changes.push_back((time, attempts));
        }
    }

    /// The results of attempts come this much later than the attempts, from now on. The caller advances first.
    ///
    /// The next results also wait for half of a spacing: from any moment on, the n-th one then takes n spacings in the mean,
    /// as with random arrivals. The expected number of attempts until the n-th result is n.
    pub(super) fn begin(&mut self, delay: Duration) {
        self.expected -= 0.5;
        self.delay = delay;
        self.changes.clear();
        if delay.is_zero() {
            self.rate = self.attempts;
        } else {
            self.rate = 0.0;
            let time = self.at.saturating_add(delay);
            self.changes.push_back((time, self.attempts));
        }
    }

    /// The results of the attempts up to now, which the caller advanced to.
    pub(super) fn without_further_attempts(&self) -> Self {
        let mut ending = self.clone();
        ending.set_rate(0.0);
        ending
    }

    /// Results per second.
    pub(super) const fn rate(&self) -> f64 {
        self.rate
    }

    /// When the result with this number comes, counted from the last counted one; `None` if none does.
    pub(super) fn time_of(&self, count: u64) -> Option<Duration> {
        let mut missing = (self.counted.saturating_add(count)) as f64 - self.expected;
        let (mut start, mut rate) = (self.at, self.rate);
        for (time, next) in &self.changes {
            let results = rate * time.saturating_sub(start).as_secs_f64();
            if results >= missing {
                break;
            }
            missing -= results;
            (start, rate) = (*time, *next);
        }
        let seconds = (missing / rate).max(0.0);
        // Rounded up, so that the result has come then.
        let nanos = libm::ceil(seconds * 1e9) as u64;
        (rate > 0.0 && seconds < LONGEST).then(|| start.saturating_add(Duration::from_nanos(nanos)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_evenly_spaced() {
        let second = Duration::from_secs(1);
        let mut arrivals = Arrivals::new(Duration::ZERO, 0.5);
        arrivals.set_rate(2.0);
        assert_eq!(arrivals.time_of(1), Some(second / 4));
        assert_eq!(arrivals.advance(second / 5), 0);
        assert_eq!(arrivals.advance(second / 4), 1);
        assert_eq!(arrivals.time_of(5), Some(second / 4 + 5 * second / 2));
        assert_eq!(arrivals.advance(3 * second), 5);
        arrivals.set_rate(0.0);
        assert_eq!(arrivals.time_of(1), None);
    }

    /// Three hosts of four fail, and a row of three failures ejects each: Envoy 1.40 has nine failures.
    #[test]
    fn the_third_attempt_takes_three_spacings_in_the_mean() {
        let second = Duration::from_secs(1);
        let phases = 100_u32;
        let waits = (0..phases).map(|phase| {
            let mut arrivals = Arrivals::new(Duration::ZERO, f64::from(phase) / f64::from(phases));
            arrivals.set_rate(10.0);
            arrivals.advance(second);
            arrivals.begin(Duration::ZERO);
            arrivals.time_of(3).unwrap().saturating_sub(second)
        });
        let mean = waits.sum::<Duration>() / phases;
        let expected = Duration::from_millis(300);
        assert!(mean.abs_diff(expected) < second / 1_000, "{mean:?}");
    }

    #[test]
    fn a_new_rate_keeps_the_phase() {
        let second = Duration::from_secs(1);
        let mut arrivals = Arrivals::new(Duration::ZERO, 0.0);
        arrivals.set_rate(1.0);
        assert_eq!(arrivals.advance(second / 2), 0);
        arrivals.set_rate(0.5);
        assert_eq!(arrivals.time_of(1), Some(second / 2 + second));
    }

    #[test]
    fn timeouts_come_as_long_after_the_requests_as_they_take() {
        let second = Duration::from_secs(1);
        let mut arrivals = Arrivals::new(Duration::ZERO, 0.5);
        arrivals.set_rate(10.0);
        arrivals.advance(second);
        arrivals.begin(2 * second);
        // The first request is sent now.
        let first = arrivals.time_of(1).unwrap();
        assert_eq!(first, 3 * second + second / 10);
        arrivals.advance(4 * second);
        arrivals.set_rate(0.0);
        assert_eq!(arrivals.advance(6 * second), 20);
        assert_eq!(arrivals.advance(8 * second), 0);
        assert_eq!(arrivals.time_of(1), None);
        // A host that gets requests again needs the same time again.
        arrivals.set_rate(10.0);
        assert_eq!(arrivals.time_of(1), Some(10 * second + second / 10));
        arrivals.begin(Duration::ZERO);
        assert!(arrivals.time_of(1).unwrap() < 9 * second);
        arrivals.begin(Duration::MAX);
        assert_eq!(arrivals.advance(100 * second), 0);
    }
}
