//! The JavaScript side of the page's module, by the library behind wasm-bindgen's command. Linked
//! in, its version is locked together with the crate's; an installed command might differ.

use std::path::Path;

use anyhow::{Context as _, Result};
use wasm_bindgen_cli_support::Bindgen;

use super::sections::{self, TARGET_FEATURES};
use crate::files;

/// What the page is loaded as.
#[derive(Clone, Copy)]
pub enum Flavor {
    /// An ES module, for pages from a server.
    Module,
    /// A plain script, for a page from a file: modules do not load from file:// URLs.
    Script {
        /// The name of the script's only global.
        global: &'static str,
    },
}

/// A prebuilt standard library notes that it may use reference types, while our crates are built
/// without them (see [`super::wasm`]). wasm-bindgen would believe the note and then miss parts that it
/// needs from our crates, so the note is removed before it reads the module.
fn unbound(module: &Path) -> Result<Vec<u8>> {
    let bytes = files::read_bytes(module)?;
    Ok(sections::without(&bytes, TARGET_FEATURES))
}

/// Binds `module` into `dir`: `NAME.js`, `NAME_bg.wasm` and snippets, if any.
pub fn bind(module: &Path, dir: &Path, name: &str, flavor: Flavor) -> Result<()> {
    bind_with(module, dir, name, flavor, false)
}

/// Binds the main module of a split one as an ES module. Its groups use what the linker exports.
pub fn bind_main(module: &Path, dir: &Path, name: &str) -> Result<()> {
    bind_with(module, dir, name, Flavor::Module, true)
}

fn bind_with(
    module: &Path,
    dir: &Path,
    name: &str,
    flavor: Flavor,
    keep_lld_exports: bool,
) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_bytes(name, unbound(module)?)
        .out_name(name)
        .typescript(false)
        .keep_debug(false)
        .keep_lld_exports(keep_lld_exports)
        .remove_producers_section(true)
        .remove_name_section(true);
    match flavor {
        Flavor::Module => bindgen.web(true)?,
        Flavor::Script { global } => bindgen.no_modules(true)?.no_modules_global(global)?,
    };
    bindgen
        .generate(dir)
        .with_context(|| format!("wasm-bindgen cannot bind {}", module.display()))
}
