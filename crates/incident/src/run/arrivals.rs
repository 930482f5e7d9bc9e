//! The requests of one host: evenly spaced, with a phase that the seed draws.

use core::time::Duration;

/// The longest wait for an arrival.
const LONGEST: f64 = 1e9;

/// Counts the attempts that a host gets.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Arrivals {
    /// Expected attempts since the start, with the phase.
    expected: f64,
    /// Those that have been counted.
    counted: u64,
    /// Attempts per second.
    rate: f64,
    /// Until when the counts are up to date.
    at: Duration,
    /// When results arrive again: timeouts are results after their time.
    from: Duration,
}

impl Arrivals {
    /// Arrivals from a time on; `phase` is the part of a spacing before it, 0 to 1.
    pub(super) fn new(at: Duration, phase: f64) -> Self {
        Self {
            expected: phase,
            at,
            ..Self::default()
        }
    }

    /// Counts up to a time, and returns the new attempts.
    pub(super) fn advance(&mut self, now: Duration) -> u64 {
        let start = self.at.max(self.from);
        self.expected += self.rate * now.saturating_sub(start).as_secs_f64();
        self.at = self.at.max(now);
        // The time of an arrival is rounded, so that the expectation can miss it by less than this.
        let whole = libm::floor(self.expected + 1e-6).max(0.0) as u64;
        let new = whole.saturating_sub(self.counted);
        self.counted = self.counted.max(whole);
        new
    }

    /// Changes the attempts per second. The caller advances first.
    pub(super) const fn set_rate(&mut self, rate: f64) {
        self.rate = rate;
    }

    /// Delays the next arrivals by half of a spacing: from any moment on, the n-th one then takes n spacings in the mean, as
    /// with random arrivals. The expected number of attempts until the n-th result is n. The caller advances first.
    pub(super) const fn begin(&mut self) {
        self.expected -= 0.5;
    }

    /// No result arrives before this time.
    pub(super) const fn pause_until(&mut self, from: Duration) {
        self.from = from;
    }

    /// When the attempt with this number arrives, counted from the last counted one; `None` without attempts.
    pub(super) fn time_of(&self, count: u64) -> Option<Duration> {
        let missing = (self.counted.saturating_add(count)) as f64 - self.expected;
        let seconds = (missing / self.rate).max(0.0);
        let start = self.at.max(self.from);
        // Rounded up, so that the attempt has arrived then.
        let nanos = libm::ceil(seconds * 1e9) as u64;
        (self.rate > 0.0 && seconds < LONGEST)
            .then(|| start.saturating_add(Duration::from_nanos(nanos)))
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
            arrivals.begin();
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
        arrivals.pause_until(5 * second);
        assert_eq!(arrivals.time_of(1), Some(6 * second));
    }
}
