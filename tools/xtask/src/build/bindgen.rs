//! The JavaScript side of the playground's module, by the library behind wasm-bindgen's command. Linked
//! in, its version is locked together with the crate's; an installed command might differ.

use std::path::Path;

use anyhow::{Context as _, Result};
use wasm_bindgen_cli_support::Bindgen;

use super::sections::{self, TARGET_FEATURES};
use crate::files;

/// A prebuilt standard library notes that it may use reference types, while our crates are built
/// without them (see [`super::wasm`]). wasm-bindgen would believe the note and then miss parts that it
/// needs from our crates, so the note is removed before it reads the module.
fn unbound(module: &Path) -> Result<Vec<u8>> {
    let bytes = files::read_bytes(module)?;
    Ok(sections::without(&bytes, TARGET_FEATURES))
}

/// Binds the main module of the split page into `dir` as an ES module: `NAME.js` and `NAME_bg.wasm`. Its groups
/// use what the linker exports.
pub fn bind_main(module: &Path, dir: &Path, name: &str) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.keep_lld_exports(true).web(true)?;
    bind(bindgen, module, dir, name)
}

/// Binds a module into `dir` with a plain script, whose only global has this name: modules do not load from
/// file:// URLs.
pub fn bind_script(module: &Path, dir: &Path, name: &str, global: &str) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.no_modules(true)?.no_modules_global(global)?;
    bind(bindgen, module, dir, name)
}

fn bind(mut bindgen: Bindgen, module: &Path, dir: &Path, name: &str) -> Result<()> {
    bindgen
        .input_bytes(name, unbound(module)?)
        .out_name(name)
        .typescript(false)
        .keep_debug(false)
        .remove_producers_section(true)
        .remove_name_section(true)
        .generate(dir)
        .with_context(|| format!("wasm-bindgen cannot bind {}", module.display()))
}
