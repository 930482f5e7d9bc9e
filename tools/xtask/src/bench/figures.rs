//! Ratios of our time to another crate's, measured alternately; the medians of several runs.

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::program::Program;

/// One comparison, in medians over all runs.
pub struct PeerFigure {
    group: String,
    name: String,
    other: String,
    /// The highest ratio that passes; without one the figure is only printed.
    bar: Option<f64>,
    ratio: f64,
    /// The lowest and the highest ratio of a run.
    spread: [f64; 2],
    ours_ns: f64,
    other_ns: f64,
}

/// Measures all figures `runs` times and prints their medians.
pub fn run(program: &Program, runs: u32) -> Result<Vec<PeerFigure>> {
    let mut all: Vec<Vec<PeerFigure>> = Vec::new();
    for _ in 0..runs.max(1) {
        all.push(once(program)?);
    }
    let figures = medians(&all);
    if figures.is_empty() {
        bail!("no figure was measured");
    }
    println!("{}", PeerFigure::HEADER);
    let mut group = "";
    for figure in &figures {
        if figure.group != group {
            group = &figure.group;
            println!("{group}");
        }
        println!("{}", figure.row());
    }
    Ok(figures)
}

fn once(program: &Program) -> Result<Vec<PeerFigure>> {
    let mut figures: Vec<Result<PeerFigure>> = Vec::new();
    program.lines(&["figures"], |line| figures.push(PeerFigure::read(line)))?;
    figures.into_iter().collect()
}

/// Each figure once, by its place, which is the same in every run.
fn medians(runs: &[Vec<PeerFigure>]) -> Vec<PeerFigure> {
    let (first, rest) = runs
        .split_first()
        .map_or((&[][..], &[][..]), |(f, r)| (f, r));
    let one = |(place, figure): (usize, &PeerFigure)| {
        let same = rest.iter().filter_map(|run| run.get(place));
        let all: Vec<&PeerFigure> = std::iter::once(figure).chain(same).collect();
        let sorted = |value: fn(&PeerFigure) -> f64| {
            let mut values: Vec<f64> = all.iter().map(|figure| value(figure)).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let median = |value| {
            let values = sorted(value);
            values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
        };
        let ratios = sorted(|figure| figure.ratio);
        let [low, high] = [ratios.first(), ratios.last()];
        PeerFigure {
            group: figure.group.clone(),
            name: figure.name.clone(),
            other: figure.other.clone(),
            bar: figure.bar,
            ratio: median(|figure| figure.ratio),
            spread: [low, high].map(|ratio| ratio.copied().unwrap_or(f64::NAN)),
            ours_ns: median(|figure| figure.ours_ns),
            other_ns: median(|figure| figure.other_ns),
        }
    };
    first.iter().enumerate().map(one).collect()
}

impl PeerFigure {
    const HEADER: &str = "ours / other                             other                    \
                          ratio       lowest to highest       bar           ours          other";

    fn read(line: &str) -> Result<Self> {
        let value: Value =
            serde_json::from_str(line).with_context(|| format!("not a figure: `{line}`"))?;
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let figure = || {
            Some(Self {
                group: text("group")?,
                name: text("name")?,
                other: text("other")?,
                bar: value["bar"].as_f64(),
                ratio: value["ratio"].as_f64()?,
                spread: [value["ratio"].as_f64()?; 2],
                ours_ns: value["ours_ns"].as_f64()?,
                other_ns: value["other_ns"].as_f64()?,
            })
        };
        figure().with_context(|| format!("incomplete figure: `{line}`"))
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
        let [low, high] = self.spread;
        let spread = format!("{low:.3} to {high:.3}");
        let row = format!(
            "  {:<38} {:<22} {:>8.3} {spread:>23} {bar:>9} {ours:>14} {other:>14}  {result}",
            self.name, self.other, self.ratio
        );
        row.trim_end().to_owned()
    }

    pub fn json(&self) -> Value {
        json!({
            "group": self.group, "name": self.name, "other": self.other, "bar": self.bar,
            "ratio": self.ratio, "lowest": self.spread[0], "highest": self.spread[1], "ours_ns": self.ours_ns, "other_ns": self.other_ns,
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

    fn figure(bar: &str, ratio: f64) -> PeerFigure {
        let line = format!(
            r#"{{"group":"g","name":"n","other":"o","bar":{bar},"ratio":{ratio},"ours_ns":1500,"other_ns":2e6}}"#
        );
        PeerFigure::read(&line).unwrap()
    }

    #[test]
    fn a_figure_holds_up_to_its_bar() {
        assert!(figure("0.8", 0.8).passes());
        assert!(!figure("0.8", 0.81).passes());
        assert!(figure("null", 1e9).passes());
    }

    #[test]
    fn of_several_runs_the_median_counts() {
        let runs = [0.7, 0.9, 0.8].map(|ratio| vec![figure("0.8", ratio), figure("null", 1.0)]);
        let figures = medians(&runs);
        assert_eq!(figures.len(), 2);
        assert_eq!((figures[0].ratio, figures[0].spread), (0.8, [0.7, 0.9]));
        assert!(figures[0].passes());
        assert!(medians(&[]).is_empty());
    }

    #[test]
    fn a_row_says_what_failed_and_in_what_units() {
        let row = figure("0.8", 0.81).row();
        assert!(row.contains("1.5 us") && row.contains("2.0 ms"), "{row}");
        assert!(row.ends_with("FAILS"), "{row}");
    }

    #[test]
    fn other_output_is_no_figure() {
        assert!(PeerFigure::read("Timer precision: 20 ns").is_err());
        assert!(PeerFigure::read("{}").is_err());
    }
}
