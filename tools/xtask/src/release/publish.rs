//! `cargo xtask release --check`: whether the crates could be published.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::process;
use crate::project::Project;

/// Packages all crates that may be published, builds each package from its archive alone, and checks the
/// minimum Rust version and semantic versioning.
pub fn check_crates(project: &Project) -> Result<ExitCode> {
    let crates = publishable(project)?;
    println!("crates to publish: {}", crates.join(", "));
    let of = |command: &mut std::process::Command| {
        for name in &crates {
            command.args(["--package", name]);
        }
    };
    let mut publish = project.cargo();
    publish.args(["publish", "--dry-run", "--allow-dirty", "--locked"]);
    of(&mut publish);
    // Crates from archives and crates of the workspace have the same names and versions: in one folder,
    // later builds of the workspace would use both.
    publish.arg("--target-dir");
    publish.arg(project.target.join("publish"));
    process::run(&mut publish)?;

    // The lint compares the standard library's functions with `rust-version`. Another compiler of that
    // version may not be installed.
    let mut msrv = project.cargo();
    msrv.args(["clippy", "--locked", "--lib"]);
    of(&mut msrv);
    msrv.args(["--", "--deny", "clippy::incompatible_msrv"]);
    process::run(&mut msrv)?;
    semantic_versions(project, &crates)?;
    Ok(ExitCode::SUCCESS)
}

/// Compares the public interface with the last published version, if there is one.
fn semantic_versions(project: &Project, crates: &[String]) -> Result<()> {
    for name in crates {
        let mut published = project.cargo();
        // Outside of the workspace, cargo looks into the registry only.
        published.current_dir(std::env::temp_dir());
        if process::output(published.args(["info", name])).is_err() {
            println!(
                "== NOT CHECKED: semantic versions of {name}: no published version as a baseline"
            );
            continue;
        }
        let mut semver = project.cargo();
        semver.args(["semver-checks", "--package", name]);
        process::run(&mut semver).context("needs `cargo install cargo-semver-checks`")?;
    }
    Ok(())
}

/// The packages of the workspace without `publish = false`.
fn publishable(project: &Project) -> Result<Vec<String>> {
    let mut metadata = project.cargo();
    metadata.args(["metadata", "--no-deps", "--format-version=1"]);
    let metadata: Value = serde_json::from_str(&process::output(&mut metadata)?)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let public = packages
        .iter()
        .filter(|package| package["publish"].is_null());
    let names = public.filter_map(|package| package["name"].as_str());
    Ok(names.map(str::to_owned).collect())
}
