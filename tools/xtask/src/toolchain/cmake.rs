//! cmake, which a peer of the benchmarks is built with.

use anyhow::{Context as _, Result};

use crate::{process, toolchain::apt};

/// Sees to it that cmake is on PATH, with Debian's package if need be.
pub fn cmake() -> Result<()> {
    if process::on_path("cmake").is_some() {
        return Ok(());
    }
    apt::install(&["cmake"]).context("cmake is missing, which a peer of the benchmarks needs")?;
    process::on_path("cmake")
        .map(drop)
        .context("cmake is installed, but not on PATH")
}
