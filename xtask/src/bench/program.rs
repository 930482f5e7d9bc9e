//! The program that measures, built once and run in several ways.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::process;
use crate::project::Project;
use crate::toolchain;

/// The built program.
pub struct Program {
    executable: PathBuf,
}

impl Program {
    /// Builds it with all peers. One of them builds a C library with cmake.
    pub fn build(project: &Project) -> Result<Self> {
        toolchain::cmake()?;
        let mut command = process::cargo(&project.root);
        command
            .args([
                "bench",
                "--package",
                "spillgate-bench",
                "--features",
                "peers",
            ])
            .args(["--bench", "balancing", "--no-run"])
            .args(["--message-format", "json-render-diagnostics"]);
        let mut executable = None;
        lines_of(&mut command, |line| {
            let message: Value = serde_json::from_str(line).unwrap_or_default();
            if let Some(path) = message["executable"].as_str() {
                executable = Some(path.into());
            }
        })?;
        Ok(Self {
            executable: executable.context("cargo named no program")?,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.executable
    }

    /// Runs it and hands over what it prints, line by line.
    pub fn lines(&self, words: &[&str], take: impl FnMut(&str)) -> Result<()> {
        let mut command = process::command(&self.executable, words);
        // divan measures only for `cargo bench`, which says so by this word.
        lines_of(command.arg("--bench"), take)
    }
}

/// Runs a program and hands over what it prints, line by line.
pub fn lines_of(command: &mut Command, mut take: impl FnMut(&str)) -> Result<()> {
    let text = process::shown(command);
    println!("  $ {text}");
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{text}`"))?;
    let stdout = child.stdout.take().context("no output")?;
    for line in BufReader::new(stdout).lines() {
        take(&line?);
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{text}` failed ({status})");
    }
    Ok(())
}
