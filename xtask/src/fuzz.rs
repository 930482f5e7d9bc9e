//! `cargo xtask fuzz`: many cases of every fuzz target, without libFuzzer.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

use crate::process;
use crate::project::Project;

/// Runs the program of the `fuzzing` package that does it.
pub fn run(project: &Project, arguments: &[OsString]) -> Result<ExitCode> {
    let mut command = process::cargo(&project.root);
    command.args(["run", "--quiet", "--profile", "fuzz"]);
    command.args(["--package", "spillgate-fuzzing", "--bin", "fuzz", "--"]);
    command.args(arguments);
    process::pass_on(&mut command)
}
