//! Lighthouse, which rates how a page loads.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::{apt, npm};
use crate::{files, process};

/// The version in `LOCK`.
const VERSION: &str = "12.8.2";
/// Lighthouse and its packages, with the hashes of their archives.
const LOCK: &str = include_str!("package-lock.json");
/// What `LOCK` locks. Lighthouse asks for the latest version of one package.
const PACKAGE: &str =
    r#"{"dependencies": {"lighthouse": "12.8.2"}, "overrides": {"third-party-web": "0.27.0"}}"#;
/// For 60 MB.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(600);

/// The script of its command line: the one in the cache, or a fresh download.
pub fn lighthouse(cache: &Path) -> Result<PathBuf> {
    let home = cache.join(format!("lighthouse-{VERSION}"));
    let script = home.join("node_modules/lighthouse/cli/index.js");
    if !script.is_file() {
        println!("  installing Lighthouse {VERSION} from the npm registry (60 MB)");
        install(&home).context("Lighthouse is not installed")?;
    }
    Ok(script)
}

fn install(home: &Path) -> Result<()> {
    if process::on_path("npm").is_none() {
        apt::install(&["npm"]).context("npm is not installed")?;
    }
    files::install_dir(home, |staging| {
        npm::install(staging, PACKAGE, LOCK, DOWNLOAD_LIMIT)
    })
}
