//! The dynamic module: one shared object.

use std::path::PathBuf;

use anyhow::Result;

use super::same_everywhere;
use super::step::step;
use crate::project::Project;
use crate::{files, process};

/// The cargo profile, in the workspace's Cargo.toml.
const PROFILE: &str = "module";

/// Builds the dynamic module and lays it at its place.
pub fn module(project: &Project) -> Result<PathBuf> {
    step("the dynamic module", || {
        build(project, "native", &[], project.dynamic_module())
    })
}

/// Builds the dynamic module with deliberate panics, for tests.
pub fn faulty_module(project: &Project) -> Result<PathBuf> {
    // In the folder of the other one, both would be the same file.
    let features = ["--features", "deliberate-panics"];
    step("the dynamic module with deliberate panics", || {
        build(project, "native-faulty", &features, project.faulty_module())
    })
}

fn build(project: &Project, folder: &str, options: &[&str], place: PathBuf) -> Result<PathBuf> {
    // A folder of its own: with these compiler options, cargo would build the dependencies of the tests
    // again.
    let folder = project.target.join(folder);
    let mut command = project.cargo();
    command
        .args(["build", "--profile", PROFILE])
        .args(["--package", "spillgate-module", "--lib"])
        .args(options)
        .arg("--target-dir")
        .arg(&folder);
    same_everywhere(project, &mut command);
    process::run(&mut command)?;
    let bytes = files::read_bytes(&folder.join(PROFILE).join("libspillgate_module.so"))?;
    if files::read_bytes(&place).ok().as_deref() != Some(&bytes) {
        files::write_atomically(&place, &bytes)?;
    }
    println!("  {} ({} bytes)", project.show(&place), bytes.len());
    Ok(place)
}
