//! A figure over all runs: the least, the mean and the most.

use alloc::vec::Vec;
use core::time::Duration;

/// A figure over runs with different seeds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FigureBand {
    /// The lowest value of a run.
    pub least: f64,
    /// The mean of all runs.
    pub mean: f64,
    /// The highest value of a run.
    pub most: f64,
}

/// A time over runs with different seeds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeBand {
    /// The shortest time of a run; `None` if the event happens in no run.
    pub least: Option<Duration>,
    /// The mean of the runs in which it happens.
    pub mean: Option<Duration>,
    /// The longest time of a run; `None` if it does not happen in one of them.
    pub most: Option<Duration>,
    /// The number of runs in which it does not happen in the simulated time.
    pub missing: usize,
}

impl FigureBand {
    /// The band of these values; 0 without any.
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.into_iter().collect();
        let Some(first) = values.first().copied() else {
            return Self::default();
        };
        let sum: f64 = values.iter().sum();
        Self {
            least: values.iter().copied().fold(first, f64::min),
            mean: sum / values.len() as f64,
            most: values.iter().copied().fold(first, f64::max),
        }
    }

    /// The value that is farthest from an expectation: the highest, or for a lower bound the lowest.
    #[must_use]
    pub const fn worst(&self, rises: bool) -> f64 {
        if rises { self.most } else { self.least }
    }
}

impl TimeBand {
    /// The band of the times of all runs.
    #[must_use]
    pub fn of(times: impl IntoIterator<Item = Option<Duration>>) -> Self {
        let times: Vec<Option<Duration>> = times.into_iter().collect();
        let found: Vec<Duration> = times.iter().flatten().copied().collect();
        let missing = times.len() - found.len();
        let sum: Duration = found.iter().sum();
        let count = u32::try_from(found.len()).unwrap_or(u32::MAX);
        Self {
            least: found.iter().min().copied(),
            mean: sum.checked_div(count),
            most: found.iter().max().copied().filter(|_| missing == 0),
            missing,
        }
    }

    /// The time that is farthest from an expectation; `None` if it does not happen.
    #[must_use]
    pub const fn worst(&self, rises: bool) -> Option<Duration> {
        if rises { self.most } else { self.least }
    }

    /// Whether the times differ by a millisecond or more.
    #[must_use]
    pub fn varies(&self) -> bool {
        let millis = |time: Option<Duration>| time.map(|time| time.as_millis());
        millis(self.least) != millis(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_event_has_no_longest_time() {
        let second = Duration::from_secs(1);
        let band = TimeBand::of([Some(second), None, Some(3 * second)]);
        assert_eq!(band.mean, Some(2 * second));
        assert_eq!((band.most, band.missing), (None, 1));
        assert_eq!(TimeBand::of([]), TimeBand::default());
        let figures = FigureBand::of([1.0, 2.0, 6.0]);
        assert_eq!((figures.least, figures.mean, figures.most), (1.0, 3.0, 6.0));
    }
}
