//! The standard library for wasm32-unknown-unknown, without which nothing is built for Envoy or
//! the browser.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, anyhow};

use crate::process;
use crate::toolchain::Debian;

/// The one target of the filter and the page.
pub const TARGET: &str = "wasm32-unknown-unknown";
/// How long rustup may take; without a network it would try for much longer.
const RUSTUP_LIMIT: Duration = Duration::from_secs(120);

/// A toolchain that builds for [`TARGET`].
pub enum WasmStd {
    /// The active toolchain has the library.
    Active,
    /// Debian's toolchain builds the library along.
    Debian(Debian),
}

/// Finds a toolchain for [`TARGET`], or installs one.
pub fn wasm_std() -> Result<WasmStd> {
    if active_has_it() {
        return Ok(WasmStd::Active);
    }
    if let Some(debian) = Debian::find() {
        println!("  the active toolchain has no {TARGET}: using Debian's with -Zbuild-std");
        return Ok(WasmStd::Debian(debian));
    }
    let mut reasons = Vec::new();
    if process::on_path("rustup").is_some() {
        println!("  installing the target {TARGET} with rustup");
        let mut rustup = process::command("rustup", ["target", "add", TARGET]);
        match process::run_within(&mut rustup, RUSTUP_LIMIT) {
            Ok(()) if active_has_it() => return Ok(WasmStd::Active),
            Ok(()) => reasons.push("rustup added it to another toolchain".to_owned()),
            Err(error) => reasons.push(format!("{error:#}")),
        }
    }
    match Debian::find_or_install() {
        Ok(debian) => Ok(WasmStd::Debian(debian)),
        Err(error) => {
            reasons.push(format!("{error:#}"));
            Err(anyhow!(
                "the Rust standard library for {TARGET} is missing; run `rustup target add {TARGET}` ({})",
                reasons.join("; ")
            ))
        }
    }
}

fn active_has_it() -> bool {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--print", "target-libdir", "--target", TARGET]);
    let Ok(dir) = process::output(&mut rustc) else {
        return false;
    };
    fs::read_dir(Path::new(&dir)).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
    })
}
