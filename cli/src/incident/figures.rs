//! Figures as text.

use spillgate_explain::format::plain;
use spillgate_incident::{ExpectedIncident, FigureBand, TimeBand, time_text};

/// A number of requests.
pub(super) fn requests(number: f64) -> String {
    if number >= 100.0 || number == number.round() {
        format!("{number:.0}")
    } else {
        format!("{number:.1}")
    }
}

/// A percentage.
pub(super) fn percent(percent: f64) -> String {
    if percent == 0.0 {
        "0".into()
    } else if percent < 1.0 {
        format!("{percent:.3}")
    } else {
        format!("{percent:.2}")
    }
}

/// The longest time of a run; `never` if it does not happen in one.
pub(super) fn longest(band: &TimeBand) -> String {
    if band.missing == 0 && band.mean.is_none() {
        return "-".into();
    }
    band.most.map_or_else(|| "never".into(), time_text)
}

/// The mean time; `never` if it happens in no run.
pub(super) fn mean(band: &TimeBand) -> String {
    if band.missing == 0 && band.mean.is_none() {
        return "-".into();
    }
    band.mean.map_or_else(|| "never".into(), time_text)
}

/// Seconds; `-` for 0.
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
        |value| ((value * 1000.0).round() / 1000.0).to_string(),
    );
    plain(&format!("{result} {}: {value}", expected.expr))
}
