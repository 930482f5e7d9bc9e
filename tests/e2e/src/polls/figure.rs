//! One figure of the measurement.

use serde_json::{Value, json};

/// The highest ratio of a poll's CPU time to that of the same response to a client.
const POLL_BAR: f64 = 2.0;

/// One figure in milliseconds.
pub struct PollFigure {
    pub(super) name: String,
    pub(super) samples: Vec<f64>,
    /// The highest median that passes, in milliseconds.
    pub(super) limit: Option<f64>,
    /// The ratio to what Envoy alone spends on the same response.
    pub(super) ratio: Option<f64>,
}

impl PollFigure {
    /// A figure that cannot fail.
    pub(super) const fn new(name: String, samples: Vec<f64>) -> Self {
        Self {
            name,
            samples,
            limit: None,
            ratio: None,
        }
    }

    /// One line of JSON for the caller of the measurement.
    #[must_use]
    pub fn json(&self) -> Value {
        let sorted = sorted(&self.samples);
        let bar = self.ratio.map(|_| POLL_BAR);
        json!({
            "name": self.name, "median_ms": median(&sorted), "limit_ms": self.limit, "bar": bar,
            "low_ms": sorted.first(), "high_ms": sorted.last(), "ratio": self.ratio,
        })
    }
}

pub(super) fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

pub(super) fn median(sorted: &[f64]) -> Option<f64> {
    sorted.get(sorted.len() / 2).copied()
}
