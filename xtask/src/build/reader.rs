//! The page's second module: the readers of what users paste, fetched on first use.

use anyhow::Result;

use super::{PAGE_LEVEL, PAGE_PROFILE, optimize, wasm};
use crate::files;
use crate::project::Project;

/// Its file name, as `www/reader.js` requests it.
pub const MODULE: &str = "reader.wasm";

/// Builds it. It has no JavaScript of its own: numbers and bytes are all that crosses its border.
pub fn reader(project: &Project) -> Result<Vec<u8>> {
    let module = wasm::build(project, "spillgate-reader", PAGE_PROFILE)?;
    let module = files::read_bytes(&module)?;
    optimize::optimize(project, "reader", PAGE_LEVEL, &module)
}
