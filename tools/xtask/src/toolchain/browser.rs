//! A Chromium and the chromedriver of the same major version.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::{process, toolchain::apt};

/// A browser and its matching driver.
pub struct BrowserTools {
    pub chromium: PathBuf,
    pub chromedriver: PathBuf,
}

/// `$CHROMIUM` and `$CHROMEDRIVER`, or what is on PATH, or Debian's packages.
pub fn browser() -> Result<BrowserTools> {
    let found = match find() {
        Some(found) => found,
        None => {
            apt::install(&["chromium", "chromium-driver"])
                .context("Chromium or its chromedriver is missing; set CHROMIUM and CHROMEDRIVER, or install both")?;
            find().context("chromium is installed, but not on PATH")?
        }
    };
    let (browser, driver) = (major(&found.chromium)?, major(&found.chromedriver)?);
    if browser != driver {
        bail!(
            "{} has version {browser} and {} version {driver}; they must be the same",
            found.chromium.display(),
            found.chromedriver.display()
        );
    }
    Ok(found)
}

fn find() -> Option<BrowserTools> {
    let chromium = process::named("CHROMIUM").or_else(|| {
        ["chromium", "chromium-browser", "google-chrome"]
            .into_iter()
            .find_map(process::on_path)
    })?;
    let chromedriver =
        process::named("CHROMEDRIVER").or_else(|| process::on_path("chromedriver"))?;
    Some(BrowserTools {
        chromium,
        chromedriver,
    })
}

/// The first number in what `--version` prints.
fn major(program: &Path) -> Result<u32> {
    let text = process::output(&mut process::command(program, ["--version"]))?;
    text.split(|c: char| !c.is_ascii_digit())
        .find_map(|number| number.parse().ok())
        .with_context(|| format!("`{text}` names no version"))
}
