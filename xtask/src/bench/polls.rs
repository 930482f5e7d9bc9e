//! What live health costs in a real Envoy: CPU time of a poll, and how soon a change steers.

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::program::{self, lines_of};
use crate::project::Project;

/// One line of the table, in milliseconds.
pub struct Cost {
    name: String,
    median: f64,
    low: f64,
    high: f64,
    /// The highest median that passes; without one it is only told.
    limit: Option<f64>,
    /// How many times Envoy's own work it is.
    ratio: Option<f64>,
    json: Value,
}

/// Measures all and prints the table.
pub fn run(project: &Project) -> Result<Vec<Cost>> {
    let mut command = program::in_envoy(project, "poll-cost")?;
    let mut costs: Vec<Cost> = Vec::new();
    let mut fault = None;
    println!("what live health costs: milliseconds, and times what Envoy alone needs to answer");
    lines_of(&mut command, |line| match Cost::read(line) {
        Ok(cost) => {
            println!("{}", cost.row());
            costs.push(cost);
        }
        Err(error) => fault = Some(error),
    })?;
    match fault {
        Some(error) => Err(error),
        None if costs.is_empty() => bail!("nothing was measured"),
        None => Ok(costs),
    }
}

impl Cost {
    fn read(line: &str) -> Result<Self> {
        let json: Value =
            serde_json::from_str(line).with_context(|| format!("`{line}` is no cost"))?;
        let cost = || {
            Some(Self {
                name: json["name"].as_str()?.to_owned(),
                median: json["median_ms"].as_f64()?,
                low: json["low_ms"].as_f64()?,
                high: json["high_ms"].as_f64()?,
                limit: json["limit_ms"].as_f64(),
                ratio: json["ratio"].as_f64(),
                json: json.clone(),
            })
        };
        cost().with_context(|| format!("`{line}` lacks a part of a cost"))
    }

    /// Whether it holds; what has no limit does.
    pub fn passes(&self) -> bool {
        self.limit.is_none_or(|limit| self.median <= limit)
    }

    /// What failed.
    pub fn title(&self) -> String {
        format!("{}: {:.2} ms", self.name, self.median)
    }

    fn row(&self) -> String {
        let ratio = self.ratio.map_or(String::new(), |r| format!("{r:.2} x"));
        let verdict = self.limit.map(|limit| (limit, self.passes()));
        program::row(
            &self.name,
            self.median,
            [self.low, self.high],
            &ratio,
            verdict,
        )
    }

    pub fn json(&self) -> Value {
        let mut json = self.json.clone();
        json["holds"] = self.passes().into();
        json
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn cost(median: &str, limit: &str) -> Cost {
        let line = format!(
            r#"{{"name":"n","median_ms":{median},"low_ms":1,"high_ms":9,"limit_ms":{limit},"ratio":1.5}}"#
        );
        Cost::read(&line).unwrap()
    }

    #[test]
    fn a_cost_holds_up_to_its_limit() {
        assert!(cost("3", "3").passes());
        assert!(!cost("3.01", "3").passes());
        assert!(cost("9", "null").passes());
    }

    #[test]
    fn a_row_says_what_failed() {
        let row = cost("4", "3").row();
        assert!(
            row.contains("[1.00 .. 9.00] 1.50 x") && row.ends_with("<= 3  FAILS"),
            "{row}"
        );
        assert!(Cost::read(r#"{"name":"n","median_ms":null,"low_ms":1,"high_ms":2}"#).is_err());
    }
}
