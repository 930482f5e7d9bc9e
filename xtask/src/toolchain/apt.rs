//! Packages of Debian and its relatives.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::process;

/// Package lists and packages come over the network, slowly at times; never for ever.
const LIMIT: Duration = Duration::from_secs(900);

/// Installs `packages` when this is Debian (or a relative) and we are root; otherwise the error
/// names the command that does it.
pub fn install(packages: &[&str]) -> Result<()> {
    let by_hand = format!("apt-get install {}", packages.join(" "));
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!(
            "there is no apt-get to install {} with",
            packages.join(", ")
        );
    }
    if process::output(&mut process::command("id", ["-u"]))? != "0" {
        bail!("not root, so nothing was installed; run `sudo {by_hand}`");
    }
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
