//! Ratios: ours by another's, measured by turns in one run.

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::program::Program;

/// One comparison, in medians.
pub struct Figure {
    group: String,
    name: String,
    other: String,
    /// The highest ratio that passes; without one it is only told.
    bar: Option<f64>,
    ratio: f64,
    ours_ns: f64,
    other_ns: f64,
}

/// Measures all and prints them as they come.
pub fn run(program: &Program) -> Result<Vec<Figure>> {
    let mut figures: Vec<Figure> = Vec::new();
    let mut fault = None;
    println!("{}", Figure::HEADER);
    program.lines(&["figures"], |line| match Figure::read(line) {
        Ok(figure) => {
            if figures.last().is_none_or(|last| last.group != figure.group) {
                println!("{}", figure.group);
            }
            println!("{}", figure.row());
            figures.push(figure);
        }
        Err(error) => fault = Some(error),
    })?;
    match fault {
        Some(error) => Err(error),
        None if figures.is_empty() => bail!("no figure was measured"),
        None => Ok(figures),
    }
}

impl Figure {
    const HEADER: &str = "ours / other                             other                    \
                          ratio       bar           ours          other";

    fn read(line: &str) -> Result<Self> {
        let value: Value =
            serde_json::from_str(line).with_context(|| format!("`{line}` is no figure"))?;
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let figure = || {
            Some(Self {
                group: text("group")?,
                name: text("name")?,
                other: text("other")?,
                bar: value["bar"].as_f64(),
                ratio: value["ratio"].as_f64()?,
                ours_ns: value["ours_ns"].as_f64()?,
                other_ns: value["other_ns"].as_f64()?,
            })
        };
        figure().with_context(|| format!("`{line}` lacks a part of a figure"))
    }

    /// Whether it holds; what has no bar does.
    pub fn passes(&self) -> bool {
        self.bar.is_none_or(|bar| self.ratio <= bar)
    }

    /// What is compared with what.
    pub fn title(&self) -> String {
        format!(
            "{}: {} / {} is {:.3}",
            self.group, self.name, self.other, self.ratio
        )
    }

    fn row(&self) -> String {
        let bar = match self.bar {
            Some(bar) => format!("<= {bar}"),
            None => String::new(),
        };
        let result = match (self.bar, self.passes()) {
            (None, _) => "",
            (_, true) => "holds",
            (_, false) => "FAILS",
        };
        let (ours, other) = (time(self.ours_ns), time(self.other_ns));
        let row = format!(
            "  {:<38} {:<22} {:>8.3} {bar:>9} {ours:>14} {other:>14}  {result}",
            self.name, self.other, self.ratio
        );
        row.trim_end().to_owned()
    }

    pub fn json(&self) -> Value {
        json!({
            "group": self.group, "name": self.name, "other": self.other, "bar": self.bar,
            "ratio": self.ratio, "ours_ns": self.ours_ns, "other_ns": self.other_ns,
            "holds": self.passes(),
        })
    }
}

/// Nanoseconds in a unit that suits them.
fn time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "us"),
        ns => (ns / 1e6, "ms"),
    };
    format!("{value:.1} {unit}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn figure(bar: &str, ratio: f64) -> Figure {
        let line = format!(
            r#"{{"group":"g","name":"n","other":"o","bar":{bar},"ratio":{ratio},"ours_ns":1500,"other_ns":2e6}}"#
        );
        Figure::read(&line).unwrap()
    }

    #[test]
    fn a_figure_holds_up_to_its_bar() {
        assert!(figure("0.8", 0.8).passes());
        assert!(!figure("0.8", 0.81).passes());
        assert!(figure("null", 1e9).passes());
    }

    #[test]
    fn a_row_says_what_failed_and_in_what_units() {
        let row = figure("0.8", 0.81).row();
        assert!(row.contains("1.5 us") && row.contains("2.0 ms"), "{row}");
        assert!(row.ends_with("FAILS"), "{row}");
    }

    #[test]
    fn other_output_is_no_figure() {
        assert!(Figure::read("Timer precision: 20 ns").is_err());
        assert!(Figure::read("{}").is_err());
    }
}
