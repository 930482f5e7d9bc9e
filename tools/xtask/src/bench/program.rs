//! The programs that measure: the engine's, built once and run in several ways, and those in Envoy.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::build::CommandPage;
use crate::project::Project;
use crate::{build, files, process, toolchain};

/// A built program.
pub struct Program {
    executable: PathBuf,
}

impl Program {
    /// The benchmarks with all peers. One of them builds a C library with cmake.
    pub fn build(project: &Project) -> Result<Self> {
        toolchain::cmake()?;
        Self::of(project, "balancing", &["--features", "peers"])
    }

    /// The work whose instructions are counted, with or without that of peers.
    pub fn instructions(project: &Project, peers: Peers) -> Result<Self> {
        let features: &[&str] = match peers {
            Peers::With => &["--features", "peers"],
            Peers::Without => &[],
        };
        Self::of(project, "instructions", features)
    }

    fn of(project: &Project, name: &str, features: &[&str]) -> Result<Self> {
        let mut command = project.cargo();
        command
            .args(["bench", "--package", "spillgate-bench"])
            .args(features)
            .args(["--bench", name, "--no-run"])
            .args(["--message-format", "json-render-diagnostics"]);
        let mut executable = None;
        process::lines_of(&mut command, |line| {
            let message: Value = serde_json::from_str(line).unwrap_or_default();
            if let Some(path) = message["executable"].as_str() {
                executable = Some(path.into());
            }
        })?;
        Ok(Self {
            executable: executable.context("cargo printed no program")?,
        })
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.executable
    }

    /// Runs it and passes on its output, line by line.
    pub fn lines(&self, words: &[&str], take: impl FnMut(&str)) -> Result<()> {
        let mut command = process::command(&self.executable, words);
        // divan measures only for `cargo bench`, which passes this argument.
        process::lines_of(command.arg("--bench"), take)
    }
}

/// Whether the programs of other crates are built too, which takes minutes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Peers {
    With,
    Without,
}

/// A program of the end-to-end tests that measures in a real browser, with all that it needs.
pub fn in_browser(project: &Project, name: &str) -> Result<Command> {
    let browser = toolchain::browser()?;
    let page = build::page(project)?;
    let mut command = end_to_end(project, name);
    command.env("CHROMIUM", browser.chromium);
    command.env("CHROMEDRIVER", browser.chromedriver);
    command.env("SPILLGATE_WWW", page);
    Ok(command)
}

/// A program of the end-to-end tests that runs Lighthouse, with all that it needs.
pub fn with_lighthouse(project: &Project, name: &str) -> Result<Command> {
    let script = toolchain::LIGHTHOUSE.file(&project.cache())?;
    let mut command = in_browser(project, name)?;
    build::site(project, &project.docs(), build::SiteContent::Pages)?;
    command.env("SPILLGATE_DOCS", project.docs());
    command.env("SPILLGATE_LIGHTHOUSE", script);
    Ok(command)
}

/// Like [`in_envoy`], for a program that counts the instructions of its Envoy.
pub fn in_counted_envoy(project: &Project, name: &str) -> Result<Command> {
    let valgrind = toolchain::valgrind()?;
    let envoy = toolchain::envoy(&project.cache())?;
    let folder = project.out().join("callgrind");
    files::fresh_dir(&folder)?;
    let output = folder.join("envoy");
    let script = folder.join("envoy.sh");
    let text = format!(
        "#!/bin/sh\nexec '{}' --tool=callgrind --instr-atstart=no --callgrind-out-file='{}' '{}' \"$@\"\n",
        valgrind.display(),
        output.display(),
        envoy.display()
    );
    files::write_atomically(&script, text)?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
    let mut command = in_envoy(project, name)?;
    command.env("ENVOY", script);
    command.env("SPILLGATE_CALLGRIND", output);
    command.args(["--", "--instructions"]);
    Ok(command)
}

fn end_to_end(project: &Project, name: &str) -> Command {
    let mut command = project.cargo();
    command.args(["run", "--quiet", "--package", "spillgate-e2e"]);
    command.args(["--bin", name]);
    command
}

/// A program of the end-to-end tests that measures in a real Envoy, with all that it needs.
pub fn in_envoy(project: &Project, name: &str) -> Result<Command> {
    let envoy = toolchain::envoy(&project.cache())?;
    let filter = build::filter(project)?;
    let mut command = end_to_end(project, name);
    command.env("ENVOY", envoy);
    command.env("SPILLGATE_FILTER_WASM", filter);
    command.env("SPILLGATE_MODULE", build::module(project)?);
    Ok(command)
}

/// A program of the end-to-end tests that runs the command as it ships with a real Envoy.
pub fn with_command(project: &Project, name: &str) -> Result<Command> {
    let shipped = build::command(project, CommandPage::Missing)?;
    let mut command = end_to_end(project, name);
    command.env("ENVOY", toolchain::envoy(&project.cache())?);
    command.env("SPILLGATE_COMMAND", shipped);
    Ok(command)
}
