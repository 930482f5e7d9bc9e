//! Packages of the Python index.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};

use crate::{files, process, toolchain::apt};

/// For at most some 40 MB.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(600);

/// Installs pinned packages, and nothing that they ask for beside, into a folder. They are put
/// beside it and renamed, so that an interrupted download leaves nothing.
pub fn install(home: &Path, requirements: &str) -> Result<()> {
    let name = home.file_name().context("a folder without a name")?;
    let name = format!("{}.{}.part", name.display(), std::process::id());
    let staging = home.with_file_name(name);
    files::fresh_dir(&staging)?;
    let list = staging.join("requirements.txt");
    files::write_atomically(&list, requirements)?;
    let result = pip().and_then(|mut pip| {
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
            .arg(&staging);
        process::run_within(&mut pip, DOWNLOAD_LIMIT)
    });
    if let Err(error) = result {
        fs::remove_dir_all(&staging).ok();
        return Err(error);
    }
    if home.exists() {
        fs::remove_dir_all(home)?;
    }
    fs::rename(&staging, home).with_context(|| format!("cannot create {}", home.display()))
}

/// A pip that starts, installed if need be.
fn pip() -> Result<Command> {
    if let Some(found) = find_pip() {
        return Ok(found);
    }
    apt::install(&["python3-pip"]).map_err(|error| anyhow!("there is no pip ({error:#})"))?;
    find_pip().context("python3-pip is installed, but pip does not start")
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
