//! Where things are: the checkout, the target folder, what is built, and the caches.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// The checkout and its folders.
pub struct Project {
    /// The folder of the workspace's Cargo.toml.
    pub root: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
}

impl Project {
    /// The checkout that this command was started in.
    pub fn find() -> Result<Self> {
        let package = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package
            .parent()
            .context("xtask has no parent folder")?
            .to_path_buf();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(dir) if !dir.is_empty() => env::current_dir()?.join(dir),
            _ => root.join("target"),
        };
        Ok(Self { root, target })
    }

    /// What xtask builds: the filter and the page.
    pub fn out(&self) -> PathBuf {
        self.target.join("spillgate")
    }

    /// The filter as it ships.
    pub fn filter_wasm(&self) -> PathBuf {
        self.out().join("spillgate.wasm")
    }

    /// The commands' answers as a module, for the test that compares them.
    pub fn twin_wasm(&self) -> PathBuf {
        self.out().join("twin.wasm")
    }

    /// The page as it ships.
    pub fn www(&self) -> PathBuf {
        self.out().join("www")
    }

    /// The page in a single file, as it ships.
    pub fn page_file(&self) -> PathBuf {
        self.out().join("playground.html")
    }

    /// Intermediate files of a build.
    pub fn stage(&self) -> PathBuf {
        self.out().join("stage")
    }

    /// The running demo's state files.
    pub fn demo_state(&self) -> PathBuf {
        self.out().join("demo")
    }

    /// The repository's files of the demo.
    pub fn demo_config(&self) -> PathBuf {
        self.root.join("envoy-config/demo")
    }

    /// A folder that lasts longer than a checkout, for what is downloaded: the user's cache, or
    /// `.tools/` where that cannot be written.
    pub fn cache(&self) -> PathBuf {
        let user = env::var_os("XDG_CACHE_HOME")
            .filter(|dir| Path::new(dir).is_absolute())
            .map(PathBuf::from)
            .or_else(|| env::var_os("HOME").map(|home| Path::new(&home).join(".cache")));
        if let Some(user) = user {
            let ours = user.join("spillgate");
            if std::fs::create_dir_all(&ours).is_ok() {
                return ours;
            }
        }
        self.root.join(".tools")
    }

    /// `path` as it is best shown: relative to the checkout where it is inside it.
    pub fn show<'a>(&self, path: &'a Path) -> std::path::Display<'a> {
        path.strip_prefix(&self.root).unwrap_or(path).display()
    }
}
