//! `cargo xtask differential`: the engine against the real Envoy over random topologies.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

use crate::process;
use crate::project::Project;
use crate::toolchain;

/// Runs the program of the `e2e` package that does it.
pub fn run(project: &Project, arguments: &[OsString]) -> Result<ExitCode> {
    let envoy = toolchain::envoy(&project.cache())?;
    let mut command = project.cargo();
    command.args(["run", "--quiet", "--package", "spillgate-e2e"]);
    command
        .args(["--bin", "differential", "--"])
        .args(arguments);
    command.env("ENVOY", envoy);
    process::pass_on(&mut command)
}
