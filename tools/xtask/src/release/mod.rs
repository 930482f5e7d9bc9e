//! `cargo xtask release VERSION`: all files of a release, in `dist/release/`. Nothing is uploaded.
//!
//! This builds the parts. The package `spillgate-release` packs them and opens each file again.

mod command;
mod parts;
mod publish;
mod tools;
mod twice;

pub use publish::check_crates;
pub use twice::build_twice;

use std::path::PathBuf;

use anyhow::Result;

use crate::identity::BuildIdentity;
use crate::project::Project;
use crate::{files, process};

/// What the user asked for.
#[derive(Debug, Clone)]
pub struct ReleaseOptions {
    /// The version.
    pub version: String,
    /// Whether uncommitted changes are permitted. The commit is then marked.
    pub allow_dirty: bool,
    /// Where the files go; `dist/release` if missing.
    pub folder: Option<PathBuf>,
}

/// Builds, packs and checks everything.
pub fn run(project: &Project, options: &ReleaseOptions) -> Result<()> {
    let identity = BuildIdentity::of_release(&project.root, &options.version, options.allow_dirty)?;
    let identity = project.identity.get_or_init(|| identity);
    let parts = parts::build(project, identity)?;
    let folder = options
        .folder
        .clone()
        .unwrap_or_else(|| project.root.join("dist/release"));
    files::fresh_dir(&folder)?;
    println!("packing and checking the files");
    let mut command = project.cargo();
    command
        .args(["run", "--quiet", "--package", "spillgate-release", "--"])
        .args([&parts, &folder])
        .args(["--version", &identity.version])
        .args(["--commit", &identity.commit])
        .args(["--time", &identity.time]);
    process::run(&mut command)?;
    tools::check(&folder, &identity.version)?;
    println!("{}", files::read(&folder.join("README.md"))?);
    Ok(())
}
