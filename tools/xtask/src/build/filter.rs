//! The filter: one module, as Envoy loads it.

use std::path::PathBuf;

use anyhow::Result;

use super::step::step;
use super::{exports, optimize, sections, wasm};
use crate::files;
use crate::project::Project;

/// The shipped filter, and the scripts of the playground that run it. The Trace screen loads them on first use.
pub const FILTER_FILES: [&str; 3] = ["spillgate.wasm", "filter.js", "filter-host.js"];

/// The cargo profile, in the workspace's Cargo.toml.
const PROFILE: &str = "filter";

/// The passes of wasm-opt. Functions that differ only in constants become one, and fewer are inlined: the
/// module is 2 % smaller, and the ledger of instructions holds.
const PASSES: [&str; 6] = [
    "--merge-similar-functions",
    "-O3",
    "--flexible-inline-max-function-size",
    "14",
    "--reorder-functions",
    "--reorder-locals",
];

/// The custom section with the version, and in a release with the commit.
const BUILD: &str = "spillgate.build";

/// Builds the filter and lays it at its place.
pub fn filter(project: &Project) -> Result<PathBuf> {
    step("the filter", || {
        let module = wasm::build(project, "spillgate-filter", PROFILE)?;
        let module = exports::without_unused(&files::read_bytes(&module)?)?;
        let bytes = optimize::optimize(project, "filter", &PASSES, &module)?;
        let bytes = sections::with(&bytes, BUILD, project.build_text()?.as_bytes());
        let place = project.filter_wasm();
        if files::read_bytes(&place).ok().as_deref() != Some(&bytes) {
            files::write_atomically(&place, &bytes)?;
        }
        println!("  {} ({} bytes)", project.show(&place), bytes.len());
        Ok(place)
    })
}
