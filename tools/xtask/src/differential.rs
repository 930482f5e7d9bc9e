//! `cargo xtask differential`: the engine against the real Envoy over random topologies.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::process;
use crate::project::Project;
use crate::toolchain;

/// Runs the program of the `e2e` package that does it.
pub fn run(project: &Project, arguments: &[OsString]) -> Result<ExitCode> {
    process::pass_on(command(project, "differential")?.args(arguments))
}

/// A program of the `e2e` package that compares with the real Envoy; its arguments follow.
pub fn command(project: &Project, name: &str) -> Result<Command> {
    let envoy = toolchain::envoy(&project.cache())?;
    let mut command = project.cargo();
    command.args(["run", "--quiet", "--package", "spillgate-e2e"]);
    command.args(["--bin", name, "--"]);
    command.env("ENVOY", envoy);
    Ok(command)
}
