//! valgrind, which counts instructions.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::{process, toolchain::apt};

/// The one on PATH, or Debian's package.
pub fn valgrind() -> Result<PathBuf> {
    if let Some(found) = process::on_path("valgrind") {
        return Ok(found);
    }
    apt::install(&["valgrind"]).context("valgrind is missing, which counts instructions")?;
    process::on_path("valgrind").context("valgrind is installed, but not on PATH")
}
