//! What the filter adds to a request in a real Envoy, what live health costs there, and how fast the playground is.

use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::program;
use crate::process::lines_of;
use crate::project::Project;

/// A program that prints one cost per line.
pub struct Measurement {
    program: &'static str,
    /// The command that runs the program.
    command: fn(&Project, &str) -> Result<Command>,
    /// The unit of its figures, also the end of their names.
    unit: &'static str,
    title: &'static str,
    /// The title of the costs of single hostcalls.
    hostcalls: &'static str,
}

/// The filter next to Envoy's own means.
pub const FILTER: Measurement = Measurement {
    program: "filter-cost",
    command: program::in_envoy,
    unit: "us",
    title: "CPU time that a filter adds to a request in Envoy, in microseconds",
    hostcalls: "CPU time of one hostcall, in microseconds",
};

/// The same in instructions, without Wasm.
pub const FILTER_INSTRUCTIONS: Measurement = Measurement {
    program: "filter-cost",
    command: program::in_counted_envoy,
    unit: "instructions",
    title: "instructions that a filter adds to a request in Envoy; ratio: to the native chain",
    hostcalls: "",
};

/// Live health.
pub const POLLS: Measurement = Measurement {
    program: "poll-cost",
    command: program::in_envoy,
    unit: "ms",
    title: "cost of live health, in milliseconds and in times of Envoy's own answer",
    hostcalls: "",
};

/// From a running Envoy to an answer.
pub const ADMIN: Measurement = Measurement {
    program: "admin-cost",
    command: program::with_command,
    unit: "ms",
    title: "time of `spillgate split --admin`, in milliseconds and in times of curl",
    hostcalls: "",
};

/// The playground.
pub const PAGE: Measurement = Measurement {
    program: "page-speed",
    command: program::in_browser,
    unit: "ms",
    title: "speed of the page in Chromium, in milliseconds",
    hostcalls: "",
};

/// What the playground downloads.
pub const PAGE_BYTES: Measurement = Measurement {
    program: "page-bytes",
    command: program::in_browser,
    unit: "bytes",
    title: "what each click downloads at a first visit, in bytes (brotli)",
    hostcalls: "",
};

/// The playground's first load as Lighthouse rates it.
pub const LIGHTHOUSE: Measurement = Measurement {
    program: "lighthouse",
    command: program::with_lighthouse,
    unit: "value",
    title: "the first load of the page, by Lighthouse",
    hostcalls: "",
};

/// Which values pass.
#[derive(Clone, Copy)]
enum Bar {
    /// At most this ratio.
    Ratio(f64),
    /// At most this median.
    Median(f64),
    /// At least this median.
    Least(f64),
}

/// One line of a table.
pub struct Cost {
    name: String,
    unit: &'static str,
    hostcall: bool,
    median: f64,
    low: f64,
    high: f64,
    ratio: Option<f64>,
    bar: Option<Bar>,
    json: Value,
}

/// Measures everything and prints the table.
pub fn run(project: &Project, measurement: &Measurement) -> Result<Vec<Cost>> {
    let mut command = (measurement.command)(project, measurement.program)?;
    let mut costs: Vec<Cost> = Vec::new();
    let mut fault = None;
    println!("{}", measurement.title);
    lines_of(&mut command, |line| {
        match Cost::read(line, measurement.unit) {
            Ok(cost) => {
                if cost.hostcall && costs.last().is_none_or(|last| !last.hostcall) {
                    println!("{}", measurement.hostcalls);
                }
                println!("{}", cost.row());
                costs.push(cost);
            }
            Err(error) => fault = Some(error),
        }
    })?;
    match fault {
        Some(error) => Err(error),
        None if costs.is_empty() => bail!("{} measured nothing", measurement.program),
        None => Ok(costs),
    }
}

impl Cost {
    fn read(line: &str, unit: &'static str) -> Result<Self> {
        let json: Value =
            serde_json::from_str(line).with_context(|| format!("not a cost: `{line}`"))?;
        let figure = |name: &str| json[format!("{name}_{unit}")].as_f64();
        let cost = || {
            Some(Self {
                name: json["name"].as_str()?.to_owned(),
                unit,
                hostcall: json["hostcall"].as_bool().unwrap_or(false),
                median: figure("median")?,
                low: figure("low")?,
                high: figure("high")?,
                ratio: json["ratio"].as_f64(),
                bar: (json["bar"].as_f64().map(Bar::Ratio))
                    .or_else(|| figure("limit").map(Bar::Median))
                    .or_else(|| figure("least").map(Bar::Least)),
                json: json.clone(),
            })
        };
        cost().with_context(|| format!("incomplete cost: `{line}`"))
    }

    /// Whether it holds. Without a bar it does; with a bar for a ratio and no ratio it does not.
    pub fn passes(&self) -> bool {
        match self.bar {
            Some(Bar::Ratio(bar)) => self.ratio.is_some_and(|ratio| ratio <= bar),
            Some(Bar::Median(limit)) => self.median <= limit,
            Some(Bar::Least(limit)) => self.median >= limit,
            None => true,
        }
    }

    /// The measured value in a message about a failure.
    pub fn title(&self) -> String {
        match self.bar {
            Some(Bar::Ratio(_)) => {
                let ratio = self.ratio.unwrap_or(f64::NAN);
                format!("{}: {ratio:.2} times its reference", self.name)
            }
            _ => format!("{}: {:.2} {}", self.name, self.median, self.unit),
        }
    }

    fn row(&self) -> String {
        let spread = format!("[{:.2} .. {:.2}]", self.low, self.high);
        let ratio = self.ratio.map_or(String::new(), |r| format!("{r:.2} x"));
        let result = match self.bar {
            Some(Bar::Ratio(bar)) => format!("<= {bar} x  {}", self.verdict()),
            Some(Bar::Median(limit)) => format!("<= {limit} {}  {}", self.unit, self.verdict()),
            Some(Bar::Least(limit)) => format!(">= {limit}  {}", self.verdict()),
            None => String::new(),
        };
        let (name, median) = (&self.name, self.median);
        let row = format!("  {name:<52} {median:>7.2} {spread:>18} {ratio:>8} {result}");
        row.trim_end().to_owned()
    }

    fn verdict(&self) -> &'static str {
        if self.passes() { "holds" } else { "FAILS" }
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

    fn filter(ratio: &str, bar: &str) -> Cost {
        let line = format!(
            r#"{{"name":"n","hostcall":false,"median_us":1.5,"low_us":-1,"high_us":2,"ratio":{ratio},"bar":{bar}}}"#
        );
        Cost::read(&line, "us").unwrap()
    }

    fn poll(median: &str, limit: &str) -> Cost {
        let line = format!(
            r#"{{"name":"n","median_ms":{median},"low_ms":1,"high_ms":9,"limit_ms":{limit},"ratio":1.5}}"#
        );
        Cost::read(&line, "ms").unwrap()
    }

    #[test]
    fn a_cost_holds_up_to_its_bar() {
        assert!(filter("1.5", "1.5").passes());
        assert!(!filter("1.51", "1.5").passes());
        assert!(!filter("null", "1.5").passes());
        assert!(filter("9", "null").passes());
        assert!(poll("3", "3").passes());
        assert!(!poll("3.01", "3").passes());
        assert!(poll("9", "null").passes());
    }

    #[test]
    fn a_score_holds_from_its_bar_on() {
        let score = |median: f64| {
            let line = format!(
                r#"{{"name":"n","median_value":{median},"low_value":1,"high_value":99,"least_value":95}}"#
            );
            Cost::read(&line, "value").unwrap()
        };
        assert!(score(95.0).passes());
        assert!(!score(94.9).passes());
        assert!(score(94.0).row().ends_with(">= 95  FAILS"));
    }

    #[test]
    fn a_row_says_what_failed() {
        let row = filter("2", "1.5").row();
        assert!(row.contains("[-1.00 .. 2.00]"), "{row}");
        assert!(row.ends_with("2.00 x <= 1.5 x  FAILS"), "{row}");
        let row = poll("4", "3").row();
        assert!(row.contains("[1.00 .. 9.00]   1.50 x"), "{row}");
        assert!(row.ends_with("<= 3 ms  FAILS"), "{row}");
        assert!(Cost::read("seed 1", "us").is_err());
        let incomplete = r#"{"name":"n","median_ms":null,"low_ms":1,"high_ms":2}"#;
        assert!(Cost::read(incomplete, "ms").is_err());
    }
}
