//! Figures of requests in words.

use alloc::{format, string::String};

use super::FigureBand;

/// The mean, and the highest number if they differ.
pub(super) fn about(band: &FigureBand) -> String {
    let (mean, most) = (requests_text(band.mean), requests_text(band.most));
    if mean == most {
        mean
    } else {
        format!("{mean} (at most {most})")
    }
}

/// A number of requests: whole from 100 on, else with one decimal if it has one.
#[must_use]
pub fn requests_text(number: f64) -> String {
    let tenths = libm::round(number * 10.0) / 10.0;
    if number >= 100.0 || tenths == libm::round(tenths) {
        format!("{:.0}", libm::round(number))
    } else {
        format!("{tenths:.1}")
    }
}

/// A percentage with as many decimals as a small one needs.
#[must_use]
pub fn percent_text(percent: f64) -> String {
    if percent == libm::round(percent) {
        format!("{percent:.0}")
    } else if percent < 1.0 {
        format!("{percent:.3}")
    } else {
        format!("{percent:.2}")
    }
}
