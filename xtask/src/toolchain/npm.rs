//! Packages of the npm registry, with the hashes of their archives.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow};

use crate::{files, process};

/// Installs what `lock` locks into a folder. npm compares the hashes; no script of a package runs.
pub fn install(folder: &Path, package: &str, lock: &str, limit: Duration) -> Result<()> {
    files::write_atomically(&folder.join("package.json"), package)?;
    files::write_atomically(&folder.join("package-lock.json"), lock)?;
    let options = [
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--fetch-retries=1",
    ];
    let mut npm = process::command("npm", options);
    npm.current_dir(folder);
    process::run_within(&mut npm, limit)
        .map_err(|_| anyhow!("npm cannot install the packages (its messages are above)"))
}
