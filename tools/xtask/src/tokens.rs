//! `cargo xtask tokens`: many forged tokens.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

use crate::process;
use crate::project::Project;

/// Runs the program of the `testkit` package.
pub fn run(project: &Project, arguments: &[OsString]) -> Result<ExitCode> {
    let mut command = project.cargo();
    command.args(["run", "--quiet", "--profile", "fuzz"]);
    command.args(["--package", "spillgate-testkit"]);
    command
        .args(["--bin", "token-search", "--"])
        .args(arguments);
    process::pass_on(&mut command)
}
