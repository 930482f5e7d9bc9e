//! When polls are due.

use core::time::Duration;

use super::clock::nanoseconds;

/// The most times in an interval at which polls of one admin are sent.
const SLOTS: usize = 10;
/// The shortest interval of ticks.
const SHORTEST_TICK: Duration = Duration::from_millis(10);

/// A repeated poll of some clusters. The first poll is due immediately. The later ones have a fixed
/// place in the interval, which depends on the position of the clusters among all polled ones, so
/// that the polls are spread over the interval.
pub(super) struct Schedule {
    interval: u64,
    /// The time from the first poll to the second one.
    phase: u64,
    /// When the next poll is due.
    due: u64,
    /// Whether the next poll is the first one.
    is_first: bool,
}

impl Schedule {
    /// The schedule of poll `number`, from 0, of `count` polls.
    pub(super) fn new(interval: Duration, number: usize, count: usize) -> Self {
        let interval = nanoseconds(interval);
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
        Self {
            interval,
            phase: (interval / count).saturating_mul(number.saturating_add(1)),
            due: 0,
            is_first: true,
        }
    }

    /// Begins again, with a first poll at that time.
    pub(super) const fn start_at(&mut self, due: u64) {
        (self.due, self.is_first) = (due, true);
    }

    /// When the next poll is due.
    pub(super) const fn due(&self) -> u64 {
        self.due
    }

    /// Whether a poll is due at `now`.
    pub(super) const fn is_due(&self, now: u64) -> bool {
        // If a tick arrives a little early, the poll must not wait for the next tick.
        let early = self.interval / 10;
        now.saturating_add(early) >= self.due
    }

    /// Begins to wait for the next poll: it is due an interval later, plus `later` nanoseconds.
    pub(super) fn advance(&mut self, now: u64, later: u64) {
        let next = if self.is_first {
            now.saturating_add(self.phase)
        } else {
            // After a long pause, polls do not catch up.
            self.due
                .saturating_add(self.interval)
                .max(now.saturating_add(self.interval / 2))
        };
        self.due = next.saturating_add(later);
        self.is_first = false;
    }

    /// A random delay that spreads the polls of several workers: up to a fifth of the interval.
    pub(super) fn delay(&self, draw: u64) -> u64 {
        draw.checked_rem(self.interval / 5).unwrap_or(0)
    }
}

/// The interval of ticks that lets polls of `count` clusters be sent at different times.
pub(super) fn tick_period(interval: Duration, count: usize) -> Duration {
    let slots = u32::try_from(count.clamp(1, SLOTS)).unwrap_or(1);
    interval
        .checked_div(slots)
        .unwrap_or(interval)
        .max(SHORTEST_TICK)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Whether a poll is due; if so, it is sent.
    fn polls_at(schedule: &mut Schedule, now: u64) -> bool {
        let is_due = schedule.is_due(now);
        if is_due {
            schedule.advance(now, 0);
        }
        is_due
    }

    /// The times in milliseconds at which a schedule polls, with a tick every `tick`.
    fn polls(mut schedule: Schedule, tick: u64, until: u64) -> Vec<u64> {
        let ticks = (0..=until).step_by(usize::try_from(tick).unwrap());
        ticks
            .filter(|at| polls_at(&mut schedule, at * 1_000_000))
            .collect()
    }

    #[test]
    fn a_single_cluster_is_polled_every_interval() {
        let schedule = Schedule::new(SECOND, 0, 1);
        assert_eq!(
            polls(schedule, 1_000, 4_000),
            [0, 1_000, 2_000, 3_000, 4_000]
        );
        // Ticks that arrive late by a little more each time.
        assert_eq!(
            polls(Schedule::new(SECOND, 0, 1), 1_003, 4_012),
            [0, 1_003, 2_006, 3_009, 4_012]
        );
    }

    #[test]
    fn clusters_have_their_own_times_after_the_first_poll() {
        let count = 20;
        let mut at_once = [0; 40];
        for number in 0..count {
            let times = polls(Schedule::new(SECOND, number, count), 100, 3_900);
            assert_eq!(times[0], 0);
            let gaps = times.windows(2).skip(2).map(|pair| pair[1] - pair[0]);
            assert!(gaps.into_iter().all(|gap| gap == 1_000), "{times:?}");
            for time in times {
                at_once[usize::try_from(time / 100).unwrap()] += 1;
            }
        }
        assert_eq!(at_once[0], 20, "all immediately");
        assert!(at_once[1] <= 4, "{at_once:?}");
        assert!(at_once[2..].iter().all(|polls| *polls <= 2), "{at_once:?}");
    }

    #[test]
    fn a_pause_causes_one_poll() {
        let mut schedule = Schedule::new(SECOND, 0, 1);
        assert!(polls_at(&mut schedule, 0));
        assert!(polls_at(&mut schedule, 60_000_000_000));
        assert!(!polls_at(&mut schedule, 60_300_000_000));
    }

    #[test]
    fn polls_of_several_workers_are_spread_over_a_fifth_of_the_interval() {
        let schedule = Schedule::new(SECOND, 0, 1);
        let delays = [0, 1, 199_999_999, 200_000_000, 450_000_007];
        let delays = delays.map(|draw| schedule.delay(draw));
        assert_eq!(delays, [0, 1, 199_999_999, 0, 50_000_007]);
        assert_eq!(Schedule::new(Duration::ZERO, 0, 1).delay(7), 0);
    }

    #[test]
    fn ticks_are_at_least_ten_milliseconds_apart() {
        assert_eq!(tick_period(SECOND, 1), SECOND);
        assert_eq!(tick_period(SECOND, 4), SECOND / 4);
        assert_eq!(tick_period(SECOND, 100), SECOND / 10);
        assert_eq!(tick_period(SECOND / 20, 100), SHORTEST_TICK);
        assert_eq!(tick_period(SECOND, 0), SECOND);
    }
}
