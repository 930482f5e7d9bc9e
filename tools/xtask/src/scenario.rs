//! `cargo xtask scenario`: a configuration of `envoy-config/` with the real Envoy.

use std::ffi::OsString;
use std::fs;
use std::process::ExitCode;

use anyhow::Result;

use crate::project::Project;
use crate::{build, interrupt, process, toolchain};

/// Runs the program of the `e2e` package that does it.
pub fn run(project: &Project, arguments: &[OsString]) -> Result<ExitCode> {
    let mut command = project.cargo();
    command.args(["run", "--quiet", "--package", "spillgate-e2e"]);
    command.args(["--bin", "scenario", "--"]).args(arguments);
    if !arguments.iter().any(|argument| argument == "--list") {
        // Scenarios of the dynamic module run in folders of this one.
        fs::create_dir_all(project.out().join("scenarios/native"))?;
        command.env("SPILLGATE_FILTER_WASM", build::filter(project)?);
        command.env("SPILLGATE_MODULE", build::module(project)?);
        command.env("ENVOY", toolchain::envoy(&project.cache())?);
    }
    // It ends by itself when it is interrupted, and ends its Envoy before.
    interrupt::catch()?;
    process::pass_on(&mut command)
}
