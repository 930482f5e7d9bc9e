//! Firefox and WebKitGTK with their drivers.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::cargo_tool::GECKODRIVER;
use crate::{process, toolchain::apt::program};

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
