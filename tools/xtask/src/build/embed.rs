//! The modules of the custom element for documentation, `www/embed.js`.

use anyhow::Result;

use super::{ORDER_PASSES, PAGE_PASSES, PAGE_PROFILE, optimize, wasm};
use crate::files;
use crate::project::Project;

/// A module of the package `spillgate-embed`.
#[derive(Debug, Clone, Copy)]
pub struct EmbedModule {
    /// Its file name, as `www/embed.js` requests it.
    pub file: &'static str,
    /// Its name in optimization.
    pub name: &'static str,
    /// Its features.
    features: &'static [&'static str],
}

/// The module of most widgets.
pub const EMBED: EmbedModule = EmbedModule {
    file: "embed.wasm",
    name: "embed",
    features: &["--no-default-features"],
};

/// The module of pages that show sweeps.
pub const EMBED_SWEEP: EmbedModule = EmbedModule {
    file: "embed-sweep.wasm",
    name: "embed-sweep",
    features: &["--no-default-features", "--features", "sweep"],
};

impl EmbedModule {
    /// Builds it. It has no JavaScript of its own: numbers and bytes are all that crosses its border.
    pub fn build(&self, project: &Project) -> Result<Vec<u8>> {
        let package = "spillgate-embed";
        let module = wasm::build_with(project, package, PAGE_PROFILE, self.features)?;
        let module = files::read_bytes(&module)?;
        let passes = [&PAGE_PASSES[..], &ORDER_PASSES].concat();
        optimize::optimize(project, self.name, &passes, &module)
    }
}
