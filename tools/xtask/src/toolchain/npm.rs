//! Packages of the npm registry, with the hashes of their archives.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};

use super::apt;
use crate::{files, process};

/// A package, and the file of it that we use.
pub struct NpmPackage {
    /// Its name in messages.
    pub title: &'static str,
    /// The version in `lock`.
    pub version: &'static str,
    /// The name of its folder in the cache, without the version.
    pub folder: &'static str,
    /// The used file, in `node_modules`.
    pub file: &'static str,
    /// The package.json that asks for it.
    pub manifest: &'static str,
    /// The package-lock.json with the hashes, which npm compares.
    pub lock: &'static str,
    /// The size of the download.
    pub size: &'static str,
    /// The longest time of the download.
    pub limit: Duration,
}

impl NpmPackage {
    /// The used file: the one in the cache, or a fresh download.
    pub fn file(&self, cache: &Path) -> Result<PathBuf> {
        let Self { title, version, .. } = self;
        let home = cache.join(format!("{}-{version}", self.folder));
        let file = home.join("node_modules").join(self.file);
        if !file.is_file() {
            println!(
                "  installing {title} {version} from the npm registry ({})",
                self.size
            );
            self.install(&home)
                .with_context(|| format!("{title} is not installed"))?;
        }
        Ok(file)
    }

    fn install(&self, home: &Path) -> Result<()> {
        if process::on_path("npm").is_none() {
            apt::install(&["npm"]).context("npm is not installed")?;
        }
        files::install_dir(home, |staging| {
            install(staging, self.manifest, self.lock, self.limit)
        })
    }
}

/// Installs what `lock` locks into a folder. npm compares the hashes; no script of a package runs.
pub fn install(folder: &Path, manifest: &str, lock: &str, limit: Duration) -> Result<()> {
    files::write_atomically(&folder.join("package.json"), manifest)?;
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
