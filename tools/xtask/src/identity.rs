//! Version, commit and time of a release, and how the builds receive them.
//!
//! The commit reaches programs only in a release: a commit in every build would compile everything
//! again after each commit.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::files;
use crate::process;

/// The commit for programs that print their version. Builds do not ask git themselves, so that they work
/// from an archive of the sources.
const COMMIT: &str = "SPILLGATE_COMMIT";
/// The name of the counter with version and commit, for the Wasm filter.
const COUNTER: &str = "SPILLGATE_BUILD_COUNTER";
/// The digits of a commit in that name, as in the dynamic module (crates/steer/src/metrics/build.rs).
const COMMIT_DIGITS: usize = 12;

/// What a build is made from.
#[derive(Debug, Clone)]
pub struct BuildIdentity {
    /// The version of the workspace.
    pub version: String,
    /// The commit in full, with `-modified` after it for uncommitted changes.
    pub commit: String,
    /// The time of the commit in seconds since 1970.
    pub time: String,
}

impl BuildIdentity {
    /// The present commit, if its version is the one to release.
    pub fn of_release(root: &Path, wanted: &str, allow_dirty: bool) -> Result<Self> {
        let version = workspace_version(root)?;
        ensure!(
            version == wanted,
            "the sources have version {version}, not {}; set `version` in Cargo.toml, or release {version}",
            wanted
        );
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            process::output(command.current_dir(root).args(arguments))
        };
        let changes = git(&["status", "--porcelain"])?;
        ensure!(
            allow_dirty || changes.is_empty(),
            "uncommitted changes; commit them, or use --allow-dirty for a trial:\n{changes}"
        );
        let mut commit = git(&["rev-parse", "HEAD"])?;
        if !changes.is_empty() {
            commit += "-modified";
        }
        let time = git(&["show", "--no-patch", "--format=%ct", "HEAD"])?;
        Ok(Self {
            version,
            commit,
            time,
        })
    }

    /// Passes the commit to a build.
    pub fn pass(&self, command: &mut Command) {
        command.env(COMMIT, &self.commit);
        let short = self.commit.get(..COMMIT_DIGITS).unwrap_or(&self.commit);
        let version = &self.version;
        command.env(
            COUNTER,
            format!("spillgate.build.version.{version}.commit.{short}"),
        );
        // Tools that write a time write this one.
        command.env("SOURCE_DATE_EPOCH", &self.time);
    }
}

/// The version in the workspace's Cargo.toml.
pub fn workspace_version(root: &Path) -> Result<String> {
    let manifest = files::read(&root.join("Cargo.toml"))?;
    let section = manifest
        .split_once("[workspace.package]\n")
        .context("Cargo.toml: no [workspace.package]")?
        .1;
    let line = section
        .lines()
        .find_map(|line| line.strip_prefix("version = \""));
    let version = line.and_then(|line| line.strip_suffix('"'));
    Ok(version.context("Cargo.toml: no version")?.to_owned())
}
