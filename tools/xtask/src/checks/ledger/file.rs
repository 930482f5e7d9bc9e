//! The text of a ledger:
//!
//! ```text
//! # Comments, which stay when the file is written again.
//! recorded with rustup, rustc 1.95.0
//!       432 decision/round_robin
//! ```

use std::fmt::Write as _;

use anyhow::{Context as _, Result};

const MACHINE: &str = "recorded with ";

/// Counts, and the compiler and machine they are from.
pub struct Ledger {
    /// Counts from other compilers or machines are not comparable.
    pub machine: String,
    pub counts: Vec<LedgerEntry>,
}

/// One entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedgerEntry {
    pub count: u64,
    pub name: String,
}

impl Ledger {
    pub fn read(text: &str) -> Result<Self> {
        let text: String = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .flat_map(|line| [line, "\n"])
            .collect();
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let machine = first
            .strip_prefix(MACHINE)
            .with_context(|| format!("expected `{MACHINE}...`, found `{first}`"))?;
        Ok(Self {
            machine: machine.to_owned(),
            counts: counts(rest)?,
        })
    }

    /// The file, with the comments of the one `before`.
    pub fn text(&self, before: &str) -> String {
        let comments = before.lines().filter(|line| line.starts_with('#'));
        let mut text: String = comments.flat_map(|line| [line, "\n"]).collect();
        let _ = writeln!(text, "{MACHINE}{}", self.machine);
        for LedgerEntry { count, name } in &self.counts {
            let _ = writeln!(text, "{count:>9} {name}");
        }
        text
    }
}

/// Entries, one a line.
pub fn counts(text: &str) -> Result<Vec<LedgerEntry>> {
    let entry = |line: &str| {
        let (count, name) = line.trim_start().split_once(' ')?;
        Some(LedgerEntry {
            count: count.parse().ok()?,
            name: name.to_owned(),
        })
    };
    text.lines()
        .map(|line| entry(line).with_context(|| format!("expected a count and a name: `{line}`")))
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_ledger_is_read_as_it_was_written_and_keeps_its_comments() {
        let text = "# a\n# b\nrecorded with rustc 1, x86\n      432 one, two\n  1234567 three\n";
        let ledger = Ledger::read(text).unwrap();
        assert_eq!(ledger.machine, "rustc 1, x86");
        assert_eq!(ledger.counts.len(), 2);
        assert_eq!(ledger.counts[0].name, "one, two");
        assert_eq!(ledger.text(text), text);
    }

    #[test]
    fn another_text_is_an_error_that_shows_the_line() {
        for text in ["", "# a\n", "432 one\n", "recorded with x\nnumber one\n"] {
            assert!(Ledger::read(text).is_err(), "{text}");
        }
        let error = counts("12\n").unwrap_err();
        assert!(error.to_string().contains("`12`"), "{error}");
    }
}
