//! The command as it ships.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::project::Project;

/// The cargo profile of what ships, in the workspace's Cargo.toml.
pub const SHIPPED: &str = "shipped";

/// Whether the program has the files of the playground.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CommandPage {
    Embedded,
    Missing,
}

/// Builds the command and returns the path of its program.
pub fn command(project: &Project, page: CommandPage) -> Result<PathBuf> {
    let mut command = project.cargo();
    command.args(["build", "--profile", SHIPPED, "--package", "spillgate"]);
    if page == CommandPage::Embedded {
        with_page(project, &mut command);
    }
    command.arg("--target-dir").arg(&project.target);
    process::run(&mut command)?;
    let program = format!("spillgate{EXE_SUFFIX}");
    Ok(project.target.join(SHIPPED).join(program))
}

/// Embeds the built page in the command that a cargo command builds.
pub fn with_page(project: &Project, command: &mut Command) {
    command.args(["--features", "ui"]);
    command.env("SPILLGATE_WWW", project.www());
}
