//! A measured time of the playground.

use serde_json::{Value, json};

/// A time of the playground in milliseconds, from several runs.
#[derive(Debug)]
pub struct PageTime {
    /// What was measured.
    pub name: String,
    /// The runs, in order of their times.
    pub times: Vec<f64>,
    /// The share of the runs that the figure covers: 0.5 is the median.
    pub quantile: f64,
    /// The target; without one the figure only informs.
    pub limit: Option<f64>,
}

impl PageTime {
    /// The median of some runs.
    #[must_use]
    pub fn median(name: &str, times: Vec<f64>, limit: Option<f64>) -> Self {
        Self::of(name, times, 0.5, limit)
    }

    /// The time that 95 % of the runs do not exceed.
    #[must_use]
    pub fn p95(name: &str, times: Vec<f64>, limit: Option<f64>) -> Self {
        Self::of(name, times, 0.95, limit)
    }

    fn of(name: &str, mut times: Vec<f64>, quantile: f64, limit: Option<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self {
            name: name.into(),
            times,
            quantile,
            limit,
        }
    }

    fn at(&self, quantile: f64) -> Option<f64> {
        let last = self.times.len().checked_sub(1)?;
        self.times
            .get((last as f64 * quantile).ceil() as usize)
            .copied()
    }

    /// The figure as a line of JSON; `low` and `high` are the fastest and the slowest run.
    #[must_use]
    pub fn json(&self) -> Value {
        let mut json = json!({
            "name": self.name,
            "median_ms": self.at(self.quantile),
            "low_ms": self.times.first(),
            "high_ms": self.times.last(),
            "runs": self.times.len(),
        });
        if let Some(limit) = self.limit {
            json["limit_ms"] = limit.into();
        }
        json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_covers_its_share_of_the_runs() {
        let times: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        assert_eq!(
            PageTime::median("", times.clone(), None).json()["median_ms"],
            11.0
        );
        let p95 = PageTime::p95("", times, Some(16.0)).json();
        assert_eq!(
            (&p95["median_ms"], &p95["limit_ms"]),
            (&json!(20.0), &json!(16.0))
        );
        assert_eq!(
            (&p95["low_ms"], &p95["high_ms"]),
            (&json!(1.0), &json!(20.0))
        );
        assert!(PageTime::median("", Vec::new(), None).json()["median_ms"].is_null());
    }
}
