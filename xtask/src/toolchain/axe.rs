//! axe-core, which checks the accessibility of the page.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::{apt, npm};
use crate::{files, process};

/// The version in `LOCK`.
const VERSION: &str = "4.13.0";
/// The package with the hash of its archive, which npm compares.
const LOCK: &str = r#"{
  "name": "accessibility",
  "lockfileVersion": 3,
  "packages": {
    "": {"dependencies": {"axe-core": "4.13.0"}},
    "node_modules/axe-core": {
      "version": "4.13.0",
      "integrity": "sha512-UzGt8zg7Ny8djbYMhxl2zuEevVa7r2gJjYY5Lwr1xM7+XU2nd6CkIWFTVcCIbAP63vSz71NaVyyuSk9lHKcy0A=="
    }
  }
}
"#;
/// For 3 MB.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(300);

/// The script: the one in the cache, or a fresh download.
pub fn axe(cache: &Path) -> Result<PathBuf> {
    let home = cache.join(format!("axe-{VERSION}"));
    let script = home.join("node_modules/axe-core/axe.min.js");
    if !script.is_file() {
        println!("  installing axe-core {VERSION} from the npm registry (3 MB)");
        install(&home).context("axe-core is not installed")?;
    }
    Ok(script)
}

fn install(home: &Path) -> Result<()> {
    if process::on_path("npm").is_none() {
        apt::install(&["npm"]).context("npm is not installed")?;
    }
    let package = format!(r#"{{"dependencies": {{"axe-core": "{VERSION}"}}}}"#);
    files::install_dir(home, |staging| {
        npm::install(staging, &package, LOCK, DOWNLOAD_LIMIT)
    })
}
