//! One package for wasm32-unknown-unknown.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::process;
use crate::project::Project;
use crate::toolchain::{WasmStd, wasm_std};

/// Only features that every engine and every wasm-opt in use understands; the set is complete for
/// both modules. Debian's wasm-opt refuses what newer defaults add (reference types).
const FLAGS: [&str; 2] = [
    "-Ctarget-cpu=mvp",
    "-Ctarget-feature=+mutable-globals,+sign-ext,+nontrapping-fptoint,+bulk-memory",
];

/// Builds `package` in a profile of its own and says where its module is.
///
/// What makes the page small where the standard library is built anew with it: a panic, which
/// nothing of ours can raise, ends it without words, and nobody prints `Debug`.
const SMALL: [&str; 4] = [
    "-Zlocation-detail=none",
    "-Zfmt-debug=none",
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
];

/// One package at a time: in one cargo run their features would be united, and the filter would
/// carry what only the page needs.
pub fn build(project: &Project, package: &str, profile: &str) -> Result<PathBuf> {
    let mut flags = FLAGS.to_vec();
    let (mut command, dir) = match wasm_std()? {
        WasmStd::Active => {
            let mut command = process::cargo(&project.root);
            command.args(["build", "--target", "wasm32-unknown-unknown"]);
            (command, project.target.join("wasm"))
        }
        // A folder of its own, since the compiler is another.
        WasmStd::Debian(debian) => (
            {
                if profile == "page" {
                    flags.extend(SMALL);
                }
                let mut command = debian.cargo(project, "std,panic_abort");
                command.arg("-Zbuild-std-features=optimize_for_size");
                command
            },
            project.target.join("wasm-debian"),
        ),
    };
    command
        .args(["--profile", profile, "--package", package, "--target-dir"])
        .arg(&dir)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .env_remove("RUSTFLAGS");
    process::run(&mut command)?;
    let module = dir
        .join("wasm32-unknown-unknown")
        .join(profile)
        .join(package.replace('-', "_"))
        .with_extension("wasm");
    if !module.exists() {
        bail!("{package} was built, but there is no {}", module.display());
    }
    Ok(module)
}
