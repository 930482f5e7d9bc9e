//! The shown time: an interval's end, and its pace while the user plays the run.

/// The speeds: simulated seconds in a second.
pub(super) const SPEEDS: [u32; 4] = [5, 20, 60, 200];

/// The shortest time between two pictures, in milliseconds.
const SHORTEST: u64 = 40;

/// A simulated time in intervals of equal length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TimeScale {
    /// The length of an interval, in milliseconds; at least 1.
    pub(crate) width: u64,
    /// The number of intervals.
    pub(crate) last: usize,
    /// The times of scripted events, in milliseconds.
    pub(crate) events: Vec<u64>,
}

impl TimeScale {
    /// The number of complete intervals at a time: 0 at the start. Without a time, the interval after the
    /// first scripted event.
    #[must_use]
    pub(crate) fn interval_at(&self, at: Option<u64>) -> usize {
        let width = self.width.max(1);
        let at = match (at, self.events.first()) {
            (Some(at), _) => at / width,
            (None, Some(event)) => event / width + 2,
            (None, None) => self.last as u64,
        };
        usize::try_from(at).map_or(self.last, |at| at.min(self.last))
    }

    /// The number of intervals at the end of the interval with the next scripted event; the last one if
    /// there is no further event.
    #[must_use]
    pub(crate) fn next_event(&self, shown: usize) -> usize {
        let ends = self.events.iter().map(|event| {
            let end = event / self.width.max(1) + 1;
            usize::try_from(end).unwrap_or(usize::MAX)
        });
        let next = ends.filter(|end| *end > shown).min();
        next.map_or(self.last, |end| end.min(self.last))
    }

    /// The time after some intervals, in milliseconds.
    #[must_use]
    pub(crate) const fn millis(&self, intervals: usize) -> u64 {
        (intervals as u64).saturating_mul(self.width)
    }

    /// A time as a share of the whole time, in percent.
    #[must_use]
    pub(crate) fn percent(&self, millis: u64) -> f64 {
        millis as f64 * 100.0 / self.millis(self.last).max(1) as f64
    }
}

/// How the shown time advances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pace {
    /// The number of intervals.
    pub(super) intervals: usize,
    /// The time after which they are shown, in milliseconds.
    pub(super) after: u32,
}

impl Pace {
    /// The pace of a speed with intervals of this length, in milliseconds.
    #[must_use]
    pub(super) fn new(width: u64, speed: u32) -> Self {
        let (width, speed) = (width.max(1), u64::from(speed.max(1)));
        let intervals = (SHORTEST * speed).div_ceil(width).max(1);
        let after = intervals.saturating_mul(width) / speed;
        Self {
            intervals: usize::try_from(intervals).unwrap_or(usize::MAX),
            after: u32::try_from(after).unwrap_or(u32::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_advances_by_whole_intervals() {
        let scale = TimeScale {
            width: 2_000,
            last: 100,
            events: vec![60_000, 120_000],
        };
        assert_eq!(scale.interval_at(None), 32, "after the first event");
        assert_eq!(scale.interval_at(Some(61_999)), 30);
        assert_eq!(scale.interval_at(Some(u64::MAX)), 100);
        assert_eq!([0, 31, 61].map(|at| scale.next_event(at)), [31, 61, 100]);
        assert_eq!(scale.percent(50_000), 25.0);
        let pace = |speed| {
            let pace = Pace::new(2_000, speed);
            (pace.intervals, pace.after)
        };
        assert_eq!([pace(20), pace(200)], [(1, 100), (4, 40)]);
    }
}
