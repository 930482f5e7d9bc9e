//! Packages of Debian and its relatives.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};

use crate::process;

/// Package lists and packages come over the network, slowly at times; never for ever.
const LIMIT: Duration = Duration::from_secs(900);

/// Installs `packages` on Debian and its relatives as root; otherwise, the error names the command.
pub fn install(packages: &[&str]) -> Result<()> {
    let list = packages.join(" ");
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!("install {list} (this machine has no apt-get to do it)");
    }
    if process::output(&mut process::command("id", ["-u"]))? != "0" {
        bail!("run `sudo apt-get install {list}`");
    }
    update_and_install(packages)
        .map_err(|error| anyhow!("`apt-get install {list}` does not work here ({error:#})"))
}

/// The program that a variable names, the first of `names` on PATH, or that of a package, installed if necessary.
pub fn program(variable: &str, names: &[&str], package: &str) -> Result<PathBuf> {
    let find = || {
        process::named(variable).or_else(|| names.iter().find_map(|name| process::on_path(name)))
    };
    if let Some(found) = find() {
        return Ok(found);
    }
    let missing = || {
        format!(
            "{} is missing; set {variable}, or install it",
            names.join(" or ")
        )
    };
    install(&[package]).with_context(missing)?;
    find().with_context(|| format!("{package} is installed, but not on PATH"))
}

fn update_and_install(packages: &[&str]) -> Result<()> {
    println!("  installing Debian packages: {}", packages.join(" "));
    process::run_within(apt().args(["update", "-q"]), LIMIT)?;
    process::run_within(
        apt()
            .args(["install", "-q", "-y", "--no-install-recommends"])
            .args(packages),
        LIMIT,
    )
}

fn apt() -> Command {
    let mut command = Command::new("/usr/bin/apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}
