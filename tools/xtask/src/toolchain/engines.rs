//! Firefox and WebKitGTK with their drivers.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::cargo_tool::GECKODRIVER;
use crate::{process, toolchain::apt};

/// The browsers and drivers. The driver of WebKitGTK knows its browser.
pub struct EngineTools {
    pub firefox: PathBuf,
    pub geckodriver: PathBuf,
    pub webkit_driver: PathBuf,
    /// The X server of that browser.
    pub xvfb: PathBuf,
}

/// What variables name, what is on PATH, or Debian's packages; geckodriver is a program of crates.io.
pub fn engines(cache: &Path) -> Result<EngineTools> {
    let firefox = program("FIREFOX", &["firefox-esr", "firefox"], "firefox-esr")?;
    let webkit_driver = program("WEBKITDRIVER", &["WebKitWebDriver"], "webkit2gtk-driver")?;
    let xvfb = program("XVFB", &["Xvfb"], "xvfb")?;
    let geckodriver = match process::named("GECKODRIVER") {
        Some(named) => named,
        None => GECKODRIVER.find_or_install(cache)?,
    };
    Ok(EngineTools {
        firefox,
        geckodriver,
        webkit_driver,
        xvfb,
    })
}

fn program(variable: &str, names: &[&str], package: &str) -> Result<PathBuf> {
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
    apt::install(&[package]).with_context(missing)?;
    find().with_context(|| format!("{package} is installed, but not on PATH"))
}
