//! The shapes of the pictures, in percent of their width and height.

use spillgate_codec::import::{TimelineInterval, TimelineRecording};

/// A part of the load picture: an interval of a priority.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadBar {
    /// The place of the priority; `None` for requests without a host.
    pub priority: Option<usize>,
    /// The left edge.
    pub x: f64,
    /// The width.
    pub width: f64,
    /// The upper edge.
    pub y: f64,
    /// The height.
    pub height: f64,
}

/// The share of each priority in each interval, one above the other, the first one at the bottom.
/// Neighbors of the same height are one bar.
#[must_use]
pub fn load_bars(recording: &TimelineRecording) -> Vec<LoadBar> {
    let mut bars: Vec<LoadBar> = Vec::new();
    let width = 100.0 / recording.intervals.len().max(1) as f64;
    let places = recording.priorities.len();
    for place in 0..=places {
        let mut previous: Option<usize> = None;
        for (at, interval) in recording.intervals.iter().enumerate() {
            let below: u32 = interval.priorities.iter().take(place).sum();
            let (own, priority) = match interval.priorities.get(place) {
                Some(own) => (*own, Some(place)),
                None => (without_host(interval), None),
            };
            let all = requests(interval);
            if own == 0 || all == 0 {
                previous = None;
                continue;
            }
            let share = |count: u32| f64::from(count) * 100.0 / f64::from(all);
            let height = share(own);
            let y = 100.0 - share(below) - height;
            let same = previous
                .and_then(|before| bars.get_mut(before))
                .filter(|bar| bar.y == y && bar.height == height);
            match same {
                Some(bar) => bar.width += width,
                None => {
                    previous = Some(bars.len());
                    bars.push(LoadBar {
                        priority,
                        x: at as f64 * width,
                        width,
                        y,
                        height,
                    });
                }
            }
        }
    }
    bars
}

/// All requests of an interval.
pub(super) const fn requests(interval: &TimelineInterval) -> u32 {
    interval.kept + interval.moved + interval.new + interval.failed + interval.hostile
}

/// The requests of an interval that no host got.
#[must_use]
pub fn without_host(interval: &TimelineInterval) -> u32 {
    requests(interval).saturating_sub(interval.priorities.iter().sum())
}

/// A part of the picture of sessions.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionBar {
    /// The class of the kind: kept, new, moved or failed.
    pub kind: &'static str,
    /// The left edge.
    pub x: f64,
    /// The width.
    pub width: f64,
    /// The upper edge.
    pub y: f64,
    /// The height.
    pub height: f64,
}

/// The outcomes of the requests of an interval, from the bottom to the top of the picture: what changes
/// is on the base line.
const fn outcomes(interval: &TimelineInterval) -> [(&'static str, u32); 4] {
    [
        ("failed", interval.failed),
        ("moved", interval.moved),
        ("new", interval.new),
        ("kept", interval.kept),
    ]
}

/// The most requests of an interval, which have the height of the picture of sessions.
#[must_use]
pub fn most_sessions(recording: &TimelineRecording) -> u32 {
    let sums = recording.intervals.iter().map(|interval| {
        let counts = outcomes(interval).map(|(_, count)| count);
        counts.into_iter().sum()
    });
    sums.max().unwrap_or(0)
}

/// The sessions of each interval by outcome.
#[must_use]
pub fn session_bars(recording: &TimelineRecording) -> Vec<SessionBar> {
    let most = most_sessions(recording);
    let width = 100.0 / recording.intervals.len().max(1) as f64;
    let mut bars = Vec::new();
    for (at, interval) in recording.intervals.iter().enumerate() {
        let mut top = 100.0;
        for (kind, count) in outcomes(interval) {
            if count > 0 {
                let height = f64::from(count) * 100.0 / f64::from(most.max(1));
                top -= height;
                bars.push(SessionBar {
                    kind,
                    x: at as f64 * width,
                    width,
                    y: top,
                    height,
                });
            }
        }
    }
    bars
}
