//! The segments of the split: all the traffic as one bar.

use super::{ScenarioOutcome, percent};

/// A segment of the bar, in percent of its width.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitSegment {
    /// The place of the priority; `None` for the requests without a host.
    pub place: Option<usize>,
    /// The left end.
    pub from: f64,
    /// The width.
    pub width: f64,
    /// The text on it, if it has room for one.
    pub label: Option<String>,
}

/// A segment for each priority, and at the end the requests without a host. Segments that are narrower
/// than `room`, in percent, have no label.
#[must_use]
pub fn split_segments(outcome: &ScenarioOutcome, room: f64) -> Vec<SplitSegment> {
    let segment = |place, from, width, name: String| SplitSegment {
        place,
        from,
        width,
        label: (width >= room).then(|| format!("{name} {}", percent(width))),
    };
    let mut from = 0.0;
    let mut segments: Vec<SplitSegment> = Vec::new();
    for row in outcome.priorities() {
        let width = row.share();
        segments.push(segment(Some(row.place), from, width, row.short()));
        from += width;
    }
    let none = outcome.no_host();
    if none > 0.05 {
        segments.push(segment(None, 100.0 - none, none, "503".into()));
    }
    segments
}
