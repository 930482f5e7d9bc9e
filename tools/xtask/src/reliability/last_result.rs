//! The result of a full run.

use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::process;

/// What a check runs on, and when it started.
#[derive(Debug)]
pub struct TestedCommit {
    /// The date in UTC, `YYYY-MM-DD`.
    date: String,
    /// The commit, with a mark if files differed from it.
    commit: String,
}

/// When, on what and with what result a check ran in its full form.
#[derive(Debug)]
pub struct LastResult {
    tested: TestedCommit,
    figures: Vec<String>,
}

impl TestedCommit {
    /// The present commit.
    pub fn now(root: &Path) -> Result<Self> {
        Ok(Self {
            date: process::output(Command::new("date").args(["-u", "+%Y-%m-%d"]))?,
            commit: commit(root)?,
        })
    }
}

impl LastResult {
    /// The result of a check that passed.
    pub fn new(tested: TestedCommit, figures: Vec<String>) -> Result<Self> {
        if figures.is_empty() {
            bail!("the check passed, but printed no figure");
        }
        Ok(Self { tested, figures })
    }

    /// As tools/xtask/reliability.json has it.
    pub fn to_json(&self) -> Value {
        json!({"date": self.tested.date, "commit": self.tested.commit, "figures": self.figures})
    }
}

impl fmt::Display for LastResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = self.figures.join("; ").replace('|', "\\|");
        write!(f, "{}, {}: {figures}", self.tested.date, self.tested.commit)
    }
}

fn commit(root: &Path) -> Result<String> {
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        process::output(command.current_dir(root).args(words))
    };
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    // This command writes the results and their dates, so changes of them do not matter.
    let changed = git(&[
        "status",
        "--porcelain",
        "--untracked-files=no",
        "--",
        ".",
        ":!docs/reliability.md",
        ":!tools/xtask/reliability.json",
    ])?;
    Ok(if changed.is_empty() {
        commit
    } else {
        format!("{commit} with local changes")
    })
}
