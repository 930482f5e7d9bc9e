//! What the filter adds to a request in a real Envoy, beside Envoy's own means.

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::program::{self, lines_of};
use crate::project::Project;

/// One line of the table, in microseconds of CPU time a request, or a call.
pub struct Cost {
    name: String,
    hostcall: bool,
    median: f64,
    low: f64,
    high: f64,
    ratio: Option<f64>,
    /// The highest ratio that passes.
    bar: Option<f64>,
    json: Value,
}

/// Measures all and prints the table.
pub fn run(project: &Project) -> Result<Vec<Cost>> {
    let mut command = program::in_envoy(project, "filter-cost")?;
    let mut costs: Vec<Cost> = Vec::new();
    let mut fault = None;
    println!("what a filter adds to a request in Envoy: microseconds of CPU time");
    lines_of(&mut command, |line| match Cost::read(line) {
        Ok(cost) => {
            if cost.hostcall && costs.last().is_none_or(|last| !last.hostcall) {
                println!("what one hostcall costs: microseconds of CPU time");
            }
            println!("{}", cost.row());
            costs.push(cost);
        }
        Err(error) => fault = Some(error),
    })?;
    match fault {
        Some(error) => Err(error),
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
                hostcall: json["hostcall"].as_bool()?,
                median: json["median_us"].as_f64()?,
                low: json["low_us"].as_f64()?,
                high: json["high_us"].as_f64()?,
                ratio: json["ratio"].as_f64(),
                bar: json["bar"].as_f64(),
                json: json.clone(),
            })
        };
        cost().with_context(|| format!("`{line}` lacks a part of a cost"))
    }

    /// Whether it holds; what has no bar does, and what has no ratio to hold does not.
    pub fn passes(&self) -> bool {
        self.bar
            .is_none_or(|bar| self.ratio.is_some_and(|ratio| ratio <= bar))
    }

    /// What failed.
    pub fn title(&self) -> String {
        let ratio = self.ratio.unwrap_or(f64::NAN);
        format!(
            "{} adds {ratio:.2} times what the native chain does",
            self.name
        )
    }

    fn row(&self) -> String {
        let ratio = self.ratio.map_or(String::new(), |r| format!("{r:.2}"));
        let verdict = self.bar.map(|bar| (bar, self.passes()));
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

    fn cost(ratio: &str, bar: &str) -> Cost {
        let line = format!(
            r#"{{"name":"n","hostcall":false,"median_us":1.5,"low_us":-1,"high_us":2,"ratio":{ratio},"bar":{bar}}}"#
        );
        Cost::read(&line).unwrap()
    }

    #[test]
    fn a_cost_holds_up_to_its_bar() {
        assert!(cost("1.5", "1.5").passes());
        assert!(!cost("1.51", "1.5").passes());
        assert!(!cost("null", "1.5").passes());
        assert!(cost("9", "null").passes());
    }

    #[test]
    fn a_row_says_what_failed() {
        let row = cost("2", "1.5").row();
        assert!(
            row.contains("[-1.00 .. 2.00]") && row.ends_with("FAILS"),
            "{row}"
        );
        assert!(Cost::read("seed 1").is_err());
    }
}
