//! Binaryen's wasm-opt, an optional step that makes modules a fifth smaller.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::{process, toolchain::apt};

/// What our modules use beyond the first version of WebAssembly. The compiler's own note of it is
/// not relied on: it is gone after the binding step.
const FEATURES: [&str; 4] = [
    "--enable-bulk-memory",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
];

/// The optimizer, where there is one.
pub struct WasmOpt {
    program: PathBuf,
    /// Its version text, a part of the key of cached modules.
    pub version: String,
}

/// What every module gets before its own passes.
///
/// Unused arguments go first: low levels keep them. And a constant offset may move into the
/// access that uses it, which is sound where no program uses the lowest kilobyte of memory; rustc's
/// linker puts the end of the stack there.
pub const PASSES: [&str; 2] = ["--dae-optimizing", "--low-memory-unused"];

impl WasmOpt {
    /// The one on PATH, or Debian's where it can be installed; otherwise, prints a warning.
    pub fn find_or_install() -> Option<Self> {
        if let Some(found) = Self::find() {
            return Some(found);
        }
        let reason = match apt::install(&["binaryen"]) {
            Ok(()) => match Self::find() {
                Some(found) => return Some(found),
                None => "binaryen is installed, but wasm-opt does not start".to_owned(),
            },
            Err(error) => format!("{error:#}"),
        };
        println!("  warning: without wasm-opt, modules stay a fifth larger; to get it: {reason}");
        None
    }

    fn find() -> Option<Self> {
        let program = process::on_path("wasm-opt")?;
        let version = process::output(&mut process::command(&program, ["--version"])).ok()?;
        Some(Self { program, version })
    }

    /// Optimizes `from` into `to` with `passes` such as `-O3`. It may refuse a module with features
    /// that it does not know.
    pub fn run(&self, passes: &[&str], from: &Path, to: &Path) -> Result<()> {
        let mut command = process::command(&self.program, PASSES);
        command.args(passes).args(FEATURES);
        command.arg(from).arg("-o").arg(to);
        let output = command.output()?;
        if !output.status.success() {
            // It prints every refused instruction; the last line has the reason.
            let stderr = String::from_utf8_lossy(&output.stderr);
            bail!(
                "wasm-opt: {}",
                stderr.trim_end().lines().last().unwrap_or("failed")
            );
        }
        Ok(())
    }
}
