//! Instructions for each decision, counted by callgrind: the same on every run, so that even small
//! changes show, and that the number of hosts does not count.

use std::fs;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::program::Program;
use crate::process;

/// How many decisions the counted function makes (`CHOICES` in the program).
const DECISIONS: u64 = 1_000;
const FEW: u32 = 10;
const MANY: u32 = 100_000;
/// How much more a decision may cost among many hosts: nothing but chance, and the two or three
/// more comparisons in a fuller queue or stretch.
const BAR: f64 = 1.25;

/// What is counted, and whether its cost may grow with the hosts: whoever looks at all of them has
/// to, and is counted among 1,000; a queue grows by its logarithm.
const CASES: [(&str, Growth); 16] = [
    ("pingora_round_robin", Growth::Peer),
    ("round_robin", Growth::None),
    ("random", Growth::None),
    ("least_request", Growth::None),
    ("client_side_weighted_round_robin", Growth::None),
    ("ring_hash", Growth::None),
    ("maglev", Growth::None),
    ("locality_weighted", Growth::None),
    ("zone_aware", Growth::None),
    ("subsets", Growth::None),
    ("subsets_and_localities", Growth::None),
    ("aggregate", Growth::None),
    ("weighted_round_robin", Growth::Logarithm),
    ("maglev_bounded", Growth::Linear),
    ("rendezvous", Growth::Linear),
    ("least_request_full_scan", Growth::Linear),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Growth {
    None,
    Logarithm,
    Linear,
    /// A peer that takes 65,535 hosts at most; it is counted among 1,000.
    Peer,
}

/// What one decision costs.
pub struct Count {
    name: &'static str,
    growth: Growth,
    few: u64,
    many: Option<u64>,
}

/// Counts all cases and prints them.
pub fn run(program: &Program) -> Result<Vec<Count>> {
    let Some(valgrind) = process::on_path("valgrind") else {
        bail!(
            "instructions are counted by valgrind, and there is none on PATH: install it (Debian: \
             `apt-get install valgrind`) or leave --instructions out"
        );
    };
    let count = |name: &str, hosts: u32| -> Result<u64> {
        let file = program
            .path()
            .with_extension(format!("{name}-{hosts}.callgrind"));
        let mut command = process::command(&valgrind, ["--tool=callgrind", "--quiet"]);
        command
            .arg(format!("--callgrind-out-file={}", file.display()))
            .args(["--collect-atstart=no", "--toggle-collect=*count*counted*"])
            .arg(program.path())
            .args(["count", name, &hosts.to_string()]);
        process::output(&mut command)?;
        let text = fs::read_to_string(&file)
            .with_context(|| format!("callgrind left no {}", file.display()))?;
        fs::remove_file(&file).ok();
        let sum = summary(&text).context("callgrind's file has no summary")?;
        if sum == 0 {
            bail!("callgrind did not meet the counted function of {name}");
        }
        Ok(sum / DECISIONS)
    };
    println!("instructions for each decision among {FEW} and {MANY} hosts (1,000 where it grows)");
    let mut counts = Vec::new();
    for (name, growth) in CASES {
        let grows = matches!(growth, Growth::Linear | Growth::Peer);
        let found = Count {
            name,
            growth,
            few: count(name, if grows { 1_000 } else { FEW })?,
            many: if grows {
                None
            } else {
                Some(count(name, MANY)?)
            },
        };
        println!("{}", found.row());
        counts.push(found);
    }
    Ok(counts)
}

/// The total in callgrind's file: `summary: 12345`, or `totals:` where there is none.
fn summary(text: &str) -> Option<u64> {
    let number = |key: &str| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(key));
        lines.next()?.split_whitespace().next()?.parse().ok()
    };
    number("totals:").or_else(|| number("summary:"))
}

impl Count {
    fn ratio(&self) -> Option<f64> {
        Some(self.many? as f64 / self.few as f64)
    }

    /// Whether the number of hosts does not count.
    pub fn passes(&self) -> bool {
        let ratio = self.ratio().unwrap_or(1.0);
        ratio <= BAR || self.growth != Growth::None
    }

    pub fn title(&self) -> String {
        let ratio = self.ratio().unwrap_or(1.0);
        format!("instructions of {} grow {ratio:.2} times", self.name)
    }

    fn row(&self) -> String {
        let many = self.many.map_or(String::new(), |many| many.to_string());
        let ratio = self.ratio().map_or(String::new(), |r| format!("{r:.3}"));
        let note = match self.growth {
            Growth::None if self.passes() => format!("<= {BAR}  holds"),
            Growth::None => format!("<= {BAR}  FAILS"),
            Growth::Logarithm => "grows by the logarithm".into(),
            Growth::Linear => "looks at all hosts".into(),
            Growth::Peer => "peer".into(),
        };
        format!(
            "  {:<34} {:>8} {many:>8} {ratio:>7}  {note}",
            self.name, self.few
        )
    }

    pub fn json(&self) -> Value {
        json!({
            "name": self.name, "few": self.few, "many": self.many, "ratio": self.ratio(),
            "holds": self.passes(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_found() {
        assert_eq!(summary("events: Ir\nsummary: 12\n"), Some(12));
        assert_eq!(summary("summary: 0\n\ntotals: 34\n"), Some(34));
        assert_eq!(summary("events: Ir\n"), None);
    }

    #[test]
    fn growth_fails_only_where_none_is_allowed() {
        let count = |growth, many| Count {
            name: "n",
            growth,
            few: 100,
            many: Some(many),
        };
        assert!(count(Growth::None, 125).passes());
        assert!(!count(Growth::None, 126).passes());
        assert!(count(Growth::Logarithm, 500).passes());
    }
}
