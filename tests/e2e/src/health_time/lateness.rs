//! When checks were sent, relative to the prediction without jitter.

use std::time::Duration;

use spillgate_health::check::ActiveCheck;

/// One check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lateness {
    /// How much later than predicted it was sent, in microseconds; negative if it was earlier.
    pub late: i64,
    /// The longest jitter that Envoy can have added, in microseconds.
    pub jitter: i64,
}

/// How far checks are from the prediction, in microseconds: after the longest jitter, or before the earliest time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LatenessBound {
    /// The earliest one.
    pub early: i64,
    /// The latest one.
    pub late: i64,
}

impl Lateness {
    /// Of a check that was sent at a time, and was due after the last result plus an interval.
    pub(super) fn new(check: &ActiveCheck, last: Duration, due: Duration, sent: Duration) -> Self {
        let interval = due.saturating_sub(last);
        Self {
            late: micros(sent) - micros(due),
            jitter: micros(check.longest_jitter(interval)),
        }
    }

    /// Of an interval without jitter.
    pub(super) fn of(interval: Duration, measured: Duration) -> Self {
        Self {
            late: micros(measured) - micros(interval),
            jitter: 0,
        }
    }

    /// How far it is outside of the possible jitter; 0 within.
    #[must_use]
    pub fn outside(self) -> i64 {
        self.late.min(0) + (self.late - self.jitter).max(0)
    }
}

impl LatenessBound {
    /// The bound of all of these.
    #[must_use]
    pub fn of(all: &[Lateness]) -> Self {
        let outside = || all.iter().map(|one| one.outside());
        Self {
            early: outside().fold(0, i64::min),
            late: outside().fold(0, i64::max),
        }
    }

    /// The deviation that 99 % of these do not exceed.
    #[must_use]
    pub fn usual(all: &[Lateness]) -> Duration {
        let mut outside: Vec<u64> = all.iter().map(|one| one.outside().unsigned_abs()).collect();
        outside.sort_unstable();
        let usual = outside.get(outside.len() * 99 / 100);
        Duration::from_micros(usual.copied().unwrap_or(0))
    }

    /// How many are outside of it.
    #[must_use]
    pub fn exceeded_by(self, all: &[Lateness]) -> usize {
        let outside = all.iter().map(|one| one.outside());
        outside
            .filter(|out| !(self.early..=self.late).contains(out))
            .count()
    }
}

fn micros(of: Duration) -> i64 {
    i64::try_from(of.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_is_not_late() {
        let at = |late| Lateness { late, jitter: 100 };
        let all = [at(-3), at(50), at(100), at(107)];
        assert_eq!(all.map(Lateness::outside), [-3, 0, 0, 7]);
        let bound = LatenessBound::of(&all);
        assert_eq!(bound, LatenessBound { early: -3, late: 7 });
        assert_eq!(LatenessBound::usual(&all), Duration::from_micros(7));
        assert_eq!(bound.exceeded_by(&[at(108), at(-4), at(0)]), 2);
    }
}
