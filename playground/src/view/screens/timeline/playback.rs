//! The shown time: an interval's end, and its pace while the user plays the run.

use spillgate_codec::import::TimelineRecording;

/// The speeds: simulated seconds in a second.
pub const SPEEDS: [u32; 4] = [5, 20, 60, 200];

/// The shortest time between two pictures, in milliseconds.
const SHORTEST: u64 = 40;

/// The number of complete intervals at a time: 0 at the start. Without a time, the interval after the
/// first scripted event.
#[must_use]
pub fn interval_at(recording: &TimelineRecording, at: Option<u64>) -> usize {
    let width = recording.width.max(1);
    let last = recording.intervals.len();
    let at = match (at, recording.phases.get(1)) {
        (Some(at), _) => at / width,
        (None, Some(event)) => event.from / width + 2,
        (None, None) => last as u64,
    };
    usize::try_from(at).map_or(last, |at| at.min(last))
}

/// The number of intervals at the end of the interval with the next scripted event; the last one if
/// there is no further event.
#[must_use]
pub fn next_event(recording: &TimelineRecording, shown: usize) -> usize {
    let width = recording.width.max(1);
    let ends = recording.phases.iter().skip(1).map(|phase| {
        let end = phase.from / width + 1;
        usize::try_from(end).unwrap_or(usize::MAX)
    });
    let last = recording.intervals.len();
    ends.filter(|end| *end > shown)
        .min()
        .unwrap_or(last)
        .min(last)
}

/// How the shown time advances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// The number of intervals.
    pub intervals: usize,
    /// The time after which they are shown, in milliseconds.
    pub after: u32,
}

impl Pace {
    /// The pace of a speed with intervals of this length, in milliseconds.
    #[must_use]
    pub fn new(width: u64, speed: u32) -> Self {
        let (width, speed) = (width.max(1), u64::from(speed.max(1)));
        let intervals = (SHORTEST * speed).div_ceil(width).max(1);
        let after = intervals.saturating_mul(width) / speed;
        Self {
            intervals: usize::try_from(intervals).unwrap_or(usize::MAX),
            after: u32::try_from(after).unwrap_or(u32::MAX),
        }
    }
}
