//! One package for wasm32-unknown-unknown.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::paths::without_folders;
use crate::process;
use crate::project::Project;
use crate::toolchain::{TARGET, Toolchain};

/// Only features that every engine and every wasm-opt in use understands; the set is complete for
/// both modules. Debian's wasm-opt refuses what newer defaults add (reference types).
const FLAGS: [&str; 2] = [
    "-Ctarget-cpu=mvp",
    "-Ctarget-feature=+mutable-globals,+sign-ext,+nontrapping-fptoint,+bulk-memory",
];

/// What makes the playground small where its standard library is built too: a panic, which none of our
/// code can raise, ends the playground without a message, and nothing prints `Debug`.
const SMALL: [&str; 4] = [
    "-Zlocation-detail=none",
    "-Zfmt-debug=none",
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
];

/// Builds `package` in a profile of its own and returns the path of its module.
///
/// One package at a time: in one cargo run, cargo would unite their features, and the filter would
/// contain code that only the playground needs.
pub fn build(project: &Project, package: &str, profile: &str) -> Result<PathBuf> {
    build_with(project, package, profile, &[])
}

/// As [`build`], with further options of cargo.
pub fn build_with(
    project: &Project,
    package: &str,
    profile: &str,
    options: &[&str],
) -> Result<PathBuf> {
    build_linked(project, "build", package, profile, (options, &[]))
}

/// As [`build_with`], with the relocations and the symbols of the module.
pub fn build_relocatable(
    project: &Project,
    package: &str,
    profile: &str,
    options: &[&str],
) -> Result<PathBuf> {
    let link = ["--", "-Clink-arg=--emit-relocs", "-Cstrip=none"];
    build_linked(project, "rustc", package, profile, (options, &link))
}

fn build_linked(
    project: &Project,
    subcommand: &str,
    package: &str,
    profile: &str,
    (options, link): (&[&str], &[&str]),
) -> Result<PathBuf> {
    let mut flags: Vec<String> = FLAGS.map(String::from).into();
    flags.extend(without_folders(project));
    let (mut command, folder) = match project.toolchain()? {
        Toolchain::Rustup { .. } => {
            let mut command = project.cargo();
            command.args([subcommand, "--target", TARGET]);
            (command, "wasm")
        }
        Toolchain::Debian(debian) => {
            if profile == "page" {
                flags.extend(SMALL.map(String::from));
            }
            let mut command = debian.cargo(&project.root, subcommand, "std,panic_abort");
            command.arg("-Zbuild-std-features=optimize_for_size");
            (command, "wasm-debian")
        }
    };
    // A folder for each path: the compilers differ, and switching must not rebuild everything.
    let dir = project.target.join(folder);
    command
        .args(["--profile", profile, "--package", package, "--lib"])
        .args(options)
        .arg("--target-dir")
        .arg(&dir)
        .args(link)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .env_remove("RUSTFLAGS");
    if let Some(identity) = project.identity.get() {
        identity.pass(&mut command);
    }
    process::run(&mut command)?;
    let module = dir
        .join(TARGET)
        .join(profile)
        .join(package.replace('-', "_"))
        .with_extension("wasm");
    if !module.exists() {
        bail!("cargo built {package}, but not {}", module.display());
    }
    Ok(module)
}
