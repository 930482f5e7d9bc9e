//! The page: the files of `www/` with the bound module.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::reader::READERS;
use super::{Flavor, PAGE_LEVEL, PAGE_PROFILE, bind, optimize, wasm};
use crate::files;
use crate::project::Project;

/// The module's file name, as the page's JavaScript requests it.
const MODULE: &str = "playground_bg.wasm";

/// Builds the page and lays it at its place, which is replaced as a whole.
pub fn page(project: &Project) -> Result<PathBuf> {
    println!("building the page");
    let module = wasm::build(project, "spillgate-playground", PAGE_PROFILE)?;
    let fresh = project.stage().join(format!("www.{}", std::process::id()));
    files::fresh_dir(&fresh)?;
    files::copy_dir(&project.root.join("www"), &fresh)?;
    bind(&module, &fresh, Flavor::Module)?;
    let bound = fresh.join(MODULE);
    let bytes = optimize::optimize(
        project,
        "playground",
        PAGE_LEVEL,
        &files::read_bytes(&bound)?,
    )?;
    files::write_atomically(&bound, &bytes)?;
    let mut sizes = format!("{MODULE}: {} bytes", bytes.len());
    for reader in READERS {
        let module = reader.build(project)?;
        files::write_atomically(&fresh.join(reader.file), &module)?;
        sizes += &format!(", {}: {} bytes", reader.file, module.len());
    }

    let place = project.www();
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    fs::rename(&fresh, &place).with_context(|| format!("cannot create {}", place.display()))?;
    println!("  {} ({sizes})", project.show(&place));
    Ok(place)
}

/// The page's JavaScript as a plain script and the module that belongs to it.
pub fn bound_single_file(project: &Project) -> Result<(String, Vec<u8>)> {
    let module = wasm::build(project, "spillgate-playground", PAGE_PROFILE)?;
    let dir = project.stage().join("script");
    files::fresh_dir(&dir)?;
    bind(&module, &dir, Flavor::Script)?;
    let bytes = files::read_bytes(&dir.join(MODULE))?;
    let bytes = optimize::optimize(project, "playground-script", PAGE_LEVEL, &bytes)?;
    Ok((files::read(&dir.join("playground.js"))?, bytes))
}
