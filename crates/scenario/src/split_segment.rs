//! The segments of the split: all the traffic as one bar.

use spillgate_explain::report::NEGLIGIBLE_SHARE;

use super::{ScenarioOutcome, percent};

/// A segment of the bar, in percent of its width.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitSegment {
    /// The place of the priority; `None` for the requests without a host.
    pub place: Option<usize>,
    /// Whether the hosts serve it regardless of their health.
    pub panic: bool,
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
        panic: false,
        from,
        width,
        label: (width >= room).then(|| format!("{name} {}", percent(width))),
    };
    let mut from = 0.0;
    let mut segments: Vec<SplitSegment> = Vec::new();
    for row in outcome.priorities() {
        let width = row.share();
        segments.push(SplitSegment {
            panic: row.in_panic_mode() && row.row.load() > 0 && width >= NEGLIGIBLE_SHARE,
            ..segment(Some(row.place), from, width, row.short())
        });
        from += width;
    }
    let none = outcome.no_host();
    if none >= NEGLIGIBLE_SHARE {
        segments.push(segment(None, 100.0 - none, none, "503".into()));
    }
    segments
}

#[cfg(test)]
mod tests {
    use spillgate_explain::report::ResultSeverity;

    use super::*;
    use crate::{PRESETS, preset};

    /// What the bar alone says is wrong.
    fn worst(outcome: &ScenarioOutcome) -> Option<ResultSeverity> {
        let segments = split_segments(outcome, 0.0);
        if segments.iter().any(|segment| segment.place.is_none()) {
            return Some(ResultSeverity::NoHost);
        }
        let panic = segments.iter().any(|segment| segment.panic);
        panic.then_some(ResultSeverity::Panic)
    }

    #[test]
    fn the_bar_has_the_alarms_of_the_headline() {
        let mut seen = 0;
        for known in &PRESETS {
            let outcome = ScenarioOutcome::of(&preset(known.id).unwrap());
            let severity = outcome.verdict().severity;
            let alarms = [ResultSeverity::NoHost, ResultSeverity::Panic];
            let expected = alarms.contains(&severity).then_some(severity);
            assert_eq!(worst(&outcome), expected, "{}", known.id);
            seen += usize::from(expected.is_some());
        }
        assert_eq!(seen, 3);
    }
}
