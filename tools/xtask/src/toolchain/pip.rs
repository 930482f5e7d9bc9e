//! Packages of the Python index.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};

use crate::{files, process, toolchain::apt};

/// For at most some 40 MB.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(600);

/// Installs pinned packages without their dependencies into a folder.
pub fn install(home: &Path, requirements: &str) -> Result<()> {
    files::install_dir(home, |staging| {
        let list = staging.join("requirements.txt");
        files::write_atomically(&list, requirements)?;
        let mut pip = pip()?;
        pip.args(["install", "--quiet", "--no-deps", "--only-binary=:all:"])
            .args(["--no-compile", "--disable-pip-version-check"])
            .env("PIP_ROOT_USER_ACTION", "ignore")
            .args(
                requirements
                    .contains("--hash")
                    .then_some("--require-hashes"),
            )
            .arg("--requirement")
            .arg(&list)
            .arg("--target")
            .arg(staging);
        let lines = requirements.lines().map(|line| line.split(' ').next());
        let names = lines.flatten().collect::<Vec<_>>().join(", ");
        // The whole command is printed before; the error names what the user needs.
        process::run_within(&mut pip, DOWNLOAD_LIMIT)
            .map_err(|_| anyhow!("pip cannot install {names} (its messages are above)"))
    })
}

/// A pip that starts, installed if necessary.
fn pip() -> Result<Command> {
    if let Some(found) = find_pip() {
        return Ok(found);
    }
    apt::install(&["python3-pip"]).context("pip is not installed")?;
    find_pip().context("python3-pip is installed, but pip does not start")
}

/// The version of `python3` on PATH, like `3.13`, installed if necessary.
pub fn python() -> Result<String> {
    if let Some(version) = find_python() {
        return Ok(version);
    }
    apt::install(&["python3", "python3-pip"]).context("python3 is not installed")?;
    find_python().context("python3 is installed, but does not start from PATH")
}

fn find_python() -> Option<String> {
    let print = "import sys; print('%d.%d' % sys.version_info[:2])";
    process::output(Command::new("python3").args(["-c", print])).ok()
}

/// The first form is the one whose packages `python3` can load.
fn find_pip() -> Option<Command> {
    let forms: [(&str, &[&str]); 3] = [("python3", &["-m", "pip"]), ("pip3", &[]), ("pip", &[])];
    forms.into_iter().find_map(|(program, first)| {
        let mut probe = process::command(program, first);
        process::output(probe.arg("--version")).ok()?;
        Some(process::command(program, first))
    })
}
