//! When in an interval a target is read.

use std::time::Duration;

/// The place of a target in the interval.
///
/// The places follow van der Corput's sequence: 0, 1/2, 1/4, 3/4, 1/8 and so on. So any number of first places is
/// spread over the interval, and a further target moves no other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Phase(u32);

impl Phase {
    /// The first place that no other target has.
    pub(crate) fn first_free(taken: impl IntoIterator<Item = Self>) -> Self {
        let mut taken: Vec<Self> = taken.into_iter().collect();
        taken.sort_unstable();
        let next = |free: u32, taken: &Self| if taken.0 == free { free + 1 } else { free };
        Self(taken.iter().fold(0, next))
    }

    /// The first time at or after `earliest` at which a target of this place is read.
    pub(crate) fn next(self, interval: Duration, earliest: Duration) -> Duration {
        let interval = interval.as_nanos().max(1);
        let offset = (interval * u128::from(self.0.reverse_bits())) >> u32::BITS;
        let past = earliest.as_nanos().saturating_sub(offset);
        let at = offset + past.div_ceil(interval) * interval;
        Duration::from_nanos(u64::try_from(at).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const INTERVAL: Duration = Duration::from_secs(16);

    #[test]
    fn the_first_places_halve_the_longest_gaps() {
        let places = (0..8).map(|number| Phase(number).next(INTERVAL, Duration::ZERO).as_secs());
        assert_eq!(places.collect::<Vec<_>>(), [0, 8, 4, 12, 2, 10, 6, 14]);
    }

    #[test]
    fn a_place_that_became_free_is_used_again() {
        let taken = [3, 0, 1].map(Phase);
        assert_eq!(Phase::first_free(taken), Phase(2));
        assert_eq!(Phase::first_free([]), Phase(0));
    }

    proptest! {
        #[test]
        fn a_time_repeats_once_an_interval(number in 0_u32..5_000, at in 0_u64..1_000_000) {
            let earliest = Duration::from_millis(at);
            let next = Phase(number).next(INTERVAL, earliest);
            prop_assert!(next >= earliest && next < earliest + INTERVAL);
            let after = Phase(number).next(INTERVAL, next + Duration::from_nanos(1));
            prop_assert_eq!(after, next + INTERVAL);
        }

        #[test]
        fn places_have_half_the_distance_of_an_equal_spread(count in 1_u32..500) {
            let mut places: Vec<_> = (0..count).map(|number| Phase(number).next(INTERVAL, Duration::ZERO)).collect();
            places.sort_unstable();
            places.push(INTERVAL);
            let distances = places.windows(2).map(|pair| pair[1] - pair[0]);
            prop_assert!(distances.min().unwrap() * 2 >= INTERVAL / count - Duration::from_nanos(2));
        }
    }
}
