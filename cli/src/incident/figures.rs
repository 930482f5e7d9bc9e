//! Figures as text.

use spillgate_explain::format::plain;
use spillgate_incident::{ExpectedIncident, FigureBand, TimeBand, time_text};

/// The longest time of a run; `never` if it does not happen in one.
pub(super) fn longest(band: &TimeBand) -> String {
    if band.missing == 0 && band.mean.is_none() {
        return "-".into();
    }
    band.most.map_or_else(|| "never".into(), time_text)
}

/// The most seconds of a run; `-` for 0.
pub(super) fn seconds(band: &FigureBand) -> String {
    if band.most <= 0.0 {
        "-".into()
    } else {
        let time = std::time::Duration::try_from_secs_f64(band.most);
        time.map_or_else(|_| "never".into(), time_text)
    }
}

/// The result of an expectation in a line.
pub(super) fn expectation(expected: &ExpectedIncident) -> String {
    let result = if expected.ok { "holds" } else { "FAILS" };
    let value = expected.value.map_or_else(
        || "does not happen".to_owned(),
        |value| format!("{} {}", (value * 1000.0).round() / 1000.0, expected.unit),
    );
    plain(&format!("{result} {}: {value}", expected.expr))
}
