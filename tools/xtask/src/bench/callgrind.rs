//! Instructions, counted by callgrind: the same number on every run, whatever else the machine does.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use super::program::Program;
use crate::process;

/// valgrind and the program that it watches.
pub struct Callgrind<'a> {
    valgrind: PathBuf,
    program: &'a Program,
}

impl<'a> Callgrind<'a> {
    /// Counts in `program`, the one of `tests/bench/benches/instructions/`.
    pub fn new(valgrind: PathBuf, program: &'a Program) -> Self {
        Self { valgrind, program }
    }

    /// The names of all work that can be counted.
    pub fn names(&self) -> Result<Vec<String>> {
        let text = process::output(&mut process::command(self.program.path(), ["list"]))?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Average instructions of the work, with that many hosts where they matter.
    pub fn count(&self, name: &str, hosts: Option<u32>) -> Result<u64> {
        let file = name.replace('/', "-");
        let file = self
            .program
            .path()
            .with_extension(format!("{file}.callgrind"));
        let mut command = process::command(&self.valgrind, ["--tool=callgrind", "--quiet"]);
        command
            .arg(format!("--callgrind-out-file={}", file.display()))
            .args([
                "--collect-atstart=no",
                "--toggle-collect=*instructions*counted*",
            ])
            .arg(self.program.path())
            .args(["run", name])
            .args(hosts.map(|hosts| hosts.to_string()));
        let times: u64 = process::output(&mut command)?
            .parse()
            .with_context(|| format!("{name} did not print the number of repetitions"))?;
        let text = fs::read_to_string(&file)
            .with_context(|| format!("callgrind wrote no {}", file.display()))?;
        fs::remove_file(&file).ok();
        let sum = summary(&text).context("callgrind's file has no summary")?;
        match sum.checked_div(times) {
            Some(count) if count > 0 => Ok(count),
            _ => bail!("callgrind did not find the counted function of {name}"),
        }
    }
}

/// The total in callgrind's file: `totals: 12345`, otherwise `summary: 12345`.
fn summary(text: &str) -> Option<u64> {
    let number = |key: &str| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(key));
        lines.next()?.split_whitespace().next()?.parse().ok()
    };
    number("totals:").or_else(|| number("summary:"))
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
}
