//! Debian's Rust toolchain with the sources of the standard library, which it builds for
//! WebAssembly (`-Zbuild-std`).

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::{TARGET, active, apt};
use crate::process;

/// The packages: compiler, cargo, sources of the standard library, linker for WebAssembly.
const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-22"];
/// What the sources in this repository need.
const OLDEST: (u32, u32) = (1, 95);

/// The toolchain, complete.
pub struct Debian {
    /// The compiler's version, like `rustc 1.96.0`.
    pub rustc: String,
    linker: PathBuf,
}

impl Debian {
    /// The toolchain if it is installed and new enough.
    pub fn find() -> Option<Self> {
        let version = process::output(&mut rustc(&["--version"])).ok()?;
        if !Path::new("/usr/bin/cargo").exists() || parse_version(&version)? < OLDEST {
            return None;
        }
        let sysroot = process::output(&mut rustc(&["--print", "sysroot"])).ok()?;
        let library = Path::new(&sysroot).join("lib/rustlib/src/rust/library/std/Cargo.toml");
        library.exists().then_some(())?;
        Some(Self {
            rustc: active::short_version(&version)?,
            linker: linker()?,
        })
    }

    /// The toolchain, installed if necessary.
    pub fn find_or_install() -> Result<Self> {
        if let Some(found) = Self::find() {
            return Ok(found);
        }
        apt::install(&PACKAGES).context("Debian's toolchain is not installed")?;
        Self::find().with_context(|| {
            let (packages, (major, minor)) = (PACKAGES.join(", "), OLDEST);
            format!("{packages} are installed, but incomplete or older than {major}.{minor}")
        })
    }

    /// A command of this toolchain's cargo, `build` or `check`, in the checkout at `root` for [`TARGET`]; it
    /// also builds the named crates of the standard library.
    pub fn cargo(&self, root: &Path, subcommand: &str, build_std: &str) -> Command {
        let mut command = Command::new("/usr/bin/cargo");
        command
            .current_dir(root)
            .env("PATH", "/usr/bin:/bin")
            // Lets the stable compiler take -Z options; nothing else is unstable here.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", &self.linker)
            .args([subcommand, "--target", TARGET])
            .arg(format!("-Zbuild-std={build_std}"));
        for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"] {
            command.env_remove(name);
        }
        process::without_cargo_env(&mut command);
        command
    }
}

fn rustc(arguments: &[&str]) -> Command {
    let mut command = process::command("/usr/bin/rustc", arguments);
    command
        .env("PATH", "/usr/bin:/bin")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("LD_LIBRARY_PATH");
    command
}

/// `rustc 1.96.0 (...)` as (1, 96).
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split_whitespace().nth(1)?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// The newest wasm-ld: of the llvm folders, or the one on the system's path.
fn linker() -> Option<PathBuf> {
    let of_llvm = |version: u32| PathBuf::from(format!("/usr/lib/llvm-{version}/bin/wasm-ld"));
    let versions = fs::read_dir("/usr/lib").ok()?.filter_map(|entry| {
        let name = entry.ok()?.file_name();
        name.to_str()?.strip_prefix("llvm-")?.parse::<u32>().ok()
    });
    versions
        .filter(|version| of_llvm(*version).exists())
        .max()
        .map(of_llvm)
        .or_else(|| {
            env::split_paths("/usr/bin:/bin")
                .map(|dir| dir.join("wasm-ld"))
                .find(|file| file.exists())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(parse_version("rustc 1.96.0 (ab 2026-01-01)"), Some((1, 96)));
        assert_eq!(parse_version("rustc"), None);
    }
}
