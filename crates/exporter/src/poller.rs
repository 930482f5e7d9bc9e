//! When to read which Envoy: a state machine with time as an argument.
//!
//! Each target has its own times, spread over the interval. A reading that takes longer than the interval skips the
//! times that it misses. A target is read by one reading at a time.
//!
//! At most [`MOST_READINGS`] responses are read and evaluated at the same time, which bounds the memory. Slow targets,
//! whose last reading failed or took half an interval, get at most [`MOST_SLOW_READINGS`] of these places: however
//! many they are, the others are read on time.

use std::{collections::BTreeMap, time::Duration};

use crate::phase::Phase;

/// The maximum number of readings at the same time.
pub const MOST_READINGS: usize = 16;

/// The maximum number of readings of slow targets at the same time.
pub const MOST_SLOW_READINGS: usize = 8;

/// The times of the readings.
#[derive(Debug, Clone)]
pub struct Poller {
    interval: Duration,
    polls: BTreeMap<String, Poll>,
}

/// The readings of one target.
#[derive(Debug, Clone)]
struct Poll {
    phase: Phase,
    state: PollState,
    /// Whether its last reading failed or took long.
    is_slow: bool,
    /// Whether it is still a target.
    is_wanted: bool,
}

#[derive(Debug, Clone, Copy)]
enum PollState {
    /// The time of the next reading.
    Waiting(Duration),
    /// The time of the present reading, and the time at which it began.
    Reading(Duration, Duration),
}

impl Poller {
    /// A poller that reads each target once an interval.
    #[must_use]
    pub const fn new(interval: Duration) -> Self {
        Self {
            interval,
            polls: BTreeMap::new(),
        }
    }

    /// Sets the targets, by their labels. Those that stay keep their times.
    pub fn set_targets<'l>(&mut self, now: Duration, labels: impl IntoIterator<Item = &'l str>) {
        for poll in self.polls.values_mut() {
            poll.is_wanted = false;
        }
        for label in labels {
            if let Some(known) = self.polls.get_mut(label) {
                known.is_wanted = true;
                continue;
            }
            let phase = Phase::first_free(self.polls.values().map(|poll| poll.phase));
            let poll = Poll {
                phase,
                state: PollState::Waiting(phase.next(self.interval, now)),
                is_slow: false,
                is_wanted: true,
            };
            self.polls.insert(label.to_owned(), poll);
        }
        self.forget_unwanted();
    }

    /// Begins the readings that are due and have a place, in the order of their times.
    pub fn start(&mut self, now: Duration) -> Vec<String> {
        let mut due: Vec<(Duration, String)> = self
            .waiting()
            .filter(|(at, _)| *at <= now)
            .map(|(at, label)| (at, label.to_owned()))
            .collect();
        due.sort_unstable();
        let mut started = Vec::new();
        for (at, label) in due {
            let (fast, slow) = self.places();
            if let Some(poll) = self.polls.get_mut(&label)
                && if poll.is_slow { slow } else { fast }
            {
                poll.state = PollState::Reading(at, now);
                started.push(label);
            }
        }
        started
    }

    /// Ends a reading.
    pub fn finish(&mut self, now: Duration, label: &str, succeeded: bool) {
        if let Some(poll) = self.polls.get_mut(label)
            && let PollState::Reading(at, began) = poll.state
        {
            let took = now.saturating_sub(began);
            poll.is_slow = !succeeded || took * 2 > self.interval;
            let earliest = now.max(at + Duration::from_nanos(1));
            poll.state = PollState::Waiting(poll.phase.next(self.interval, earliest));
        }
        self.forget_unwanted();
    }

    /// The time at which [`start`](Self::start) begins a reading, unless another one ends before; `None` if only the
    /// end of a reading makes room for one, or there are no targets.
    #[must_use]
    pub fn next_start(&self) -> Option<Duration> {
        let (fast, slow) = self.places();
        let has_place = |poll: &Poll| if poll.is_slow { slow } else { fast };
        let polls = self.polls.values().filter(|poll| has_place(poll));
        polls.filter_map(Poll::due).min()
    }

    /// Whether a fast and a slow target have a place.
    fn places(&self) -> (bool, bool) {
        let reading = || self.polls.values().filter(|poll| poll.due().is_none());
        let slow = reading().filter(|poll| poll.is_slow).count();
        let fast = reading().count() < MOST_READINGS;
        (fast, fast && slow < MOST_SLOW_READINGS)
    }

    fn waiting(&self) -> impl Iterator<Item = (Duration, &str)> {
        let polls = self.polls.iter();
        polls.filter_map(|(label, poll)| Some((poll.due()?, label.as_str())))
    }

    /// A target that is no longer wanted keeps its place until its reading ends.
    fn forget_unwanted(&mut self) {
        self.polls
            .retain(|_, poll| poll.is_wanted || poll.due().is_none());
    }
}

impl Poll {
    /// The time of the next reading; `None` during one.
    const fn due(&self) -> Option<Duration> {
        match self.state {
            PollState::Waiting(at) => Some(at),
            PollState::Reading(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    const INTERVAL: Duration = Duration::from_secs(15);
    const SECOND: Duration = Duration::from_secs(1);

    /// Runs a poller with targets that each take a time to read, and fail if they take longer than 10 seconds. Returns
    /// the start of each reading.
    fn run(times: &[Duration], until: Duration) -> Vec<(Duration, usize)> {
        let labels: Vec<String> = (0..times.len()).map(|at| format!("{at:03}")).collect();
        let mut poller = Poller::new(INTERVAL);
        poller.set_targets(Duration::ZERO, labels.iter().map(String::as_str));
        let mut ends = BTreeSet::<(Duration, usize)>::new();
        let mut starts = Vec::new();
        loop {
            let end = ends.first().map(|(at, _)| *at);
            let Some(now) = end
                .into_iter()
                .chain(poller.next_start())
                .min()
                .filter(|now| *now < until)
            else {
                return starts;
            };
            if end == Some(now) {
                let (_, target) = ends.pop_first().unwrap();
                poller.finish(now, &labels[target], times[target] <= 10 * SECOND);
            }
            for label in poller.start(now) {
                let target: usize = label.parse().unwrap();
                starts.push((now, target));
                ends.insert((now + times[target], target));
            }
            assert!(ends.len() <= MOST_READINGS);
        }
    }

    fn of(starts: &[(Duration, usize)], target: usize) -> Vec<Duration> {
        let own = starts.iter().filter(|(_, of)| *of == target);
        own.map(|(at, _)| *at).collect()
    }

    #[test]
    fn a_target_is_read_once_an_interval() {
        let starts = run(&[SECOND, SECOND], 4 * INTERVAL);
        assert_eq!(of(&starts, 0), [0, 1, 2, 3].map(|n| n * INTERVAL));
        assert_eq!(
            of(&starts, 1),
            [0, 1, 2, 3].map(|n| n * INTERVAL + INTERVAL / 2)
        );
    }

    #[test]
    fn a_long_reading_skips_the_times_that_it_misses() {
        let starts = run(&[INTERVAL + SECOND], 6 * INTERVAL);
        assert_eq!(of(&starts, 0), [0, 2, 4].map(|n| n * INTERVAL));
    }

    #[test]
    fn a_removed_target_is_not_read_again_and_one_that_returns_not_twice() {
        let mut poller = Poller::new(INTERVAL);
        poller.set_targets(Duration::ZERO, ["a", "b"]);
        assert_eq!(poller.start(Duration::ZERO), ["a"]);
        poller.set_targets(SECOND, ["b"]);
        poller.set_targets(SECOND, ["a", "b"]);
        assert_eq!(poller.start(INTERVAL), ["b"], "a is still being read");
        poller.finish(INTERVAL, "a", true);
        poller.set_targets(INTERVAL, []);
        poller.finish(INTERVAL, "b", true);
        assert_eq!(poller.next_start(), None);
    }

    proptest! {
        // Each case runs a poller for many intervals.
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn one_slow_target_delays_no_other(
            count in 2_usize..60, slow in 0_usize..60, seconds in 1_u64..500,
        ) {
            let slow = slow % count;
            let mut times = vec![SECOND / 20; count];
            let before = run(&times, 10 * INTERVAL);
            times[slow] = Duration::from_secs(seconds);
            let after = run(&times, 10 * INTERVAL);
            for target in (0..count).filter(|target| *target != slow) {
                prop_assert_eq!(of(&before, target), of(&after, target));
            }
        }

        #[test]
        fn known_slow_targets_delay_no_other(is_slow in prop::collection::vec(any::<bool>(), 2..120)) {
            let times: Vec<_> = is_slow.iter().map(|slow| if *slow { 11 * SECOND } else { SECOND / 50 }).collect();
            let starts = run(&times, 25 * INTERVAL);
            let first = |target: &usize| of(&starts, *target).first().copied();
            let slow = (0..times.len()).filter(|target| is_slow[*target]);
            let known = slow.filter_map(|target| first(&target)).max().unwrap_or_default() + 11 * SECOND;
            for target in (0..times.len()).filter(|target| !is_slow[*target]) {
                let own: Vec<_> = of(&starts, target).into_iter().filter(|at| *at > known).collect();
                prop_assert!(own.len() >= 2);
                prop_assert!(own.windows(2).all(|pair| pair[1] - pair[0] == INTERVAL));
            }
        }

        #[test]
        fn readings_are_spread_over_the_interval(count in 1_usize..200) {
            let starts = run(&vec![SECOND / 1_000; count], INTERVAL);
            prop_assert_eq!(starts.len(), count);
            let shortest = INTERVAL / (2 * u32::try_from(count).unwrap());
            prop_assert!(starts.windows(2).all(|pair| pair[1].0 - pair[0].0 >= shortest - Duration::from_nanos(2)));
        }
    }
}
