//! Samples as figures.

use serde_json::{Value, json};

/// What one variant adds to a request: microseconds of CPU time, or instructions.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterCost {
    /// What was measured.
    pub name: String,
    /// Whether this is a hostcall; a filter else.
    pub hostcall: bool,
    /// The middle sample.
    pub median: f64,
    /// The lowest sample.
    pub low: f64,
    /// The highest sample.
    pub high: f64,
    /// Its median by that of a filter that does nothing.
    pub ratio: Option<f64>,
    /// The highest passing ratio.
    pub limit: Option<f64>,
    /// Its median by the native chain's.
    pub native_ratio: Option<f64>,
}

impl FilterCost {
    pub(super) fn new(name: &str, mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        Self {
            name: name.to_owned(),
            hostcall: false,
            median: median(&samples),
            low: samples.first().copied().unwrap_or(f64::NAN),
            high: samples.last().copied().unwrap_or(f64::NAN),
            ratio: None,
            limit: None,
            native_ratio: None,
        }
    }

    /// One line of JSON for the caller of the measurement, with the unit in the names of the figures.
    #[must_use]
    pub fn json(&self, unit: &str) -> Value {
        let mut line = json!({
            "name": self.name, "hostcall": self.hostcall, "ratio": self.ratio, "bar": self.limit,
            "native_ratio": self.native_ratio,
        });
        for (figure, value) in [
            ("median", self.median),
            ("low", self.low),
            ("high", self.high),
        ] {
            line[format!("{figure}_{unit}")] = json!(value);
        }
        line
    }
}

/// The middle of sorted samples.
pub(super) fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match (sorted.get(middle), sorted.len() % 2) {
        (Some(high), 0) => sorted
            .get(middle.wrapping_sub(1))
            .map_or(*high, |low| f64::midpoint(*low, *high)),
        (Some(middle), _) => *middle,
        (None, _) => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_the_middle_and_the_ends() {
        let row = FilterCost::new("x", vec![3.0, 1.0, 2.0, 10.0]);
        assert_eq!((row.low, row.median, row.high), (1.0, 2.5, 10.0));
        assert_eq!(FilterCost::new("x", vec![5.0, 1.0, 2.0]).median, 2.0);
    }
}
