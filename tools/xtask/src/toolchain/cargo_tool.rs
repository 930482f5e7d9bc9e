//! Programs of crates.io, pinned: found on PATH, or built into the cache.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::{files, process};

/// How long a build may take.
const BUILD_LIMIT: Duration = Duration::from_secs(60 * 60);

/// A program of a package.
pub struct CargoTool {
    /// Its package and its program, `cargo-deny`.
    name: &'static str,
    version: &'static str,
    /// Makes it print its version.
    asks_version: &'static [&'static str],
    /// Whether it works long enough that its optimization pays.
    optimized: bool,
}

/// Licenses, sources and known faults of dependencies.
pub const CARGO_DENY: CargoTool = CargoTool {
    name: "cargo-deny",
    version: "0.20.2",
    asks_version: &["--version"],
    optimized: true,
};

/// Small changes of the code, which tests should notice.
pub const CARGO_MUTANTS: CargoTool = CargoTool {
    name: "cargo-mutants",
    version: "27.1.0",
    asks_version: &["mutants", "--version"],
    optimized: true,
};

/// The driver of Firefox.
pub const GECKODRIVER: CargoTool = CargoTool {
    name: "geckodriver",
    version: "0.37.1",
    asks_version: &["--version"],
    optimized: false,
};

impl CargoTool {
    /// The program on PATH if it has the version, or a build in the cache.
    pub fn find_or_install(&self, cache: &Path) -> Result<PathBuf> {
        let Self { name, version, .. } = self;
        if let Some(found) = process::on_path(name)
            && process::output(Command::new(&found).args(self.asks_version))?
                .split_whitespace()
                .take(2)
                .eq([*name, *version])
        {
            return Ok(found);
        }
        let home = cache.join(format!("{name}-{version}"));
        let program = home.join("bin").join(name);
        if !program.is_file() {
            println!("  building {name} {version}, a few minutes");
            files::install_dir(&home, |staging| {
                // Outside of the workspace, whose settings are not for this program.
                let mut cargo = process::cargo(cache);
                cargo.args(["install", name, "--locked", "--quiet", "--version"]);
                cargo.arg(format!("={version}")).arg("--root").arg(staging);
                if !self.optimized {
                    cargo.arg("--debug");
                }
                process::run_within(&mut cargo, BUILD_LIMIT)
            })
            .with_context(|| format!("{name} is not installed"))?;
        }
        Ok(program)
    }
}
