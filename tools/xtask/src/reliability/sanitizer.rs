//! Compiling a test with a sanitizer of the compiler, which finds errors of memory and of threads while the
//! test runs.

use std::process::Command;

use anyhow::Result;

use crate::project::Project;
use crate::toolchain::active;

/// A sanitizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sanitizer {
    /// Memory that is used after its end, or outside of its bounds; memory that is never freed.
    Address,
    /// Accesses of threads that are not ordered.
    Thread,
}

impl Sanitizer {
    /// Makes a cargo command compile with the sanitizer, into a folder of its own. `RUSTC_BOOTSTRAP` permits
    /// the unstable options on a stable toolchain.
    pub fn compile(self, project: &Project, command: &mut Command) -> Result<()> {
        let name = match self {
            Self::Address => "address",
            Self::Thread => {
                // It would report every access that the standard library's locks order.
                active::add_source()?;
                command.arg("-Zbuild-std");
                "thread"
            }
        };
        // With an explicit target, the flags do not apply to build scripts.
        command.args(["--target", &active::host()?]);
        command
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", format!("-Zsanitizer={name}"))
            .env("CARGO_TARGET_DIR", project.target.join(name));
        Ok(())
    }
}
