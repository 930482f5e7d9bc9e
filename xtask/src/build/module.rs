//! The native module: one shared object.

use std::path::PathBuf;

use anyhow::Result;

use super::wasm::short_paths;
use crate::project::Project;
use crate::{files, process};

/// The cargo profile, in the workspace's Cargo.toml.
const PROFILE: &str = "module";

/// Builds the native module and lays it at its place.
pub fn module(project: &Project) -> Result<PathBuf> {
    println!("building the native module");
    let mut command = project.cargo();
    command
        .args([
            "build",
            "--profile",
            PROFILE,
            "--package",
            "spillgate-module",
            "--lib",
        ])
        .env("CARGO_ENCODED_RUSTFLAGS", short_paths().join("\x1f"))
        .env_remove("RUSTFLAGS")
        // Options of its own would make cargo build the dependencies of the tests again.
        .arg("--target-dir")
        .arg(project.target.join("native"));
    process::run(&mut command)?;
    let built = project
        .target
        .join("native")
        .join(PROFILE)
        .join("libspillgate_module.so");
    let bytes = files::read_bytes(&built)?;
    let place = project.native_module();
    if files::read_bytes(&place).ok().as_deref() != Some(&bytes) {
        files::write_atomically(&place, &bytes)?;
    }
    println!("  {} ({} bytes)", project.show(&place), bytes.len());
    Ok(place)
}
