//! Building libFuzzer's programs.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::Target;
use crate::process;
use crate::project::Project;
use crate::toolchain::{active, apt};

/// What the compiler adds for libFuzzer: a counter for each branch. `RUSTC_BOOTSTRAP` permits these
/// unstable options on a stable toolchain.
const FLAGS: [&str; 8] = [
    "--cfg",
    "fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// The built programs, and where they work.
pub struct Programs {
    folder: PathBuf,
    /// The checkout.
    pub root: PathBuf,
    /// A folder for seeds and findings.
    pub work: PathBuf,
}

impl Programs {
    /// Builds a program for each target. libFuzzer itself is C++.
    pub fn build(project: &Project) -> Result<Self> {
        if process::on_path("c++").is_none() {
            apt::install(&["g++"]).context("libFuzzer needs a C++ compiler")?;
        }
        let host = active::host()?;
        let target = project.target.join("fuzz");
        let mut cargo = project.cargo();
        // With an explicit target, the flags do not apply to build scripts.
        cargo.args(["build", "--quiet", "--release", "--target", &host]);
        cargo
            .arg("--manifest-path")
            .arg(project.root.join("tests/fuzz/Cargo.toml"));
        cargo.env("CARGO_TARGET_DIR", &target);
        cargo
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", FLAGS.join(" "));
        process::run(&mut cargo)?;
        Ok(Self {
            folder: target.join(host).join("release"),
            root: project.root.clone(),
            work: project.target.join("fuzz-work"),
        })
    }

    /// The program of a target, without arguments.
    pub fn command(&self, target: &Target) -> Command {
        Command::new(self.folder.join(target.name))
    }
}
