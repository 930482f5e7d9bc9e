//! `cargo xtask fuzz` and `cargo xtask tokens`: many cases of every fuzz target, without libFuzzer,
//! and many forged tokens.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

use crate::process;
use crate::project::Project;

/// Runs a program of the `testkit` package.
pub fn run(project: &Project, program: &str, arguments: &[OsString]) -> Result<ExitCode> {
    let mut command = project.cargo();
    command.args(["run", "--quiet", "--profile", "fuzz"]);
    command.args(["--package", "spillgate-testkit"]);
    command.args(["--bin", program, "--"]).args(arguments);
    process::pass_on(&mut command)
}
