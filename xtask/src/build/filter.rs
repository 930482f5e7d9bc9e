//! The filter: one module, as Envoy loads it.

use std::path::PathBuf;

use anyhow::Result;

use super::{optimise, wasm};
use crate::files;
use crate::project::Project;

/// Reading a configuration happens once; what it takes in size is paid in every worker. Deciding
/// stays at full speed.
const SMALL_CONFIG: [&str; 2] = [
    "--config",
    "profile.release.package.spillgate-config.opt-level=\"z\"",
];

/// Builds the filter and lays it at its place.
pub fn filter(project: &Project) -> Result<PathBuf> {
    println!("building the filter");
    let module = wasm::build(project, "spillgate-filter", &SMALL_CONFIG)?;
    let bytes = optimise::optimise(project, "filter", &files::read_bytes(&module)?)?;
    let place = project.filter_wasm();
    if files::read_bytes(&place).ok().as_deref() != Some(&bytes) {
        files::write_atomically(&place, &bytes)?;
    }
    println!("  {} ({} bytes)", project.show(&place), bytes.len());
    Ok(place)
}
