//! The proof that core, codec, config, grpc, health, incident, lint, mesh, observe, steer and sim need no standard
//! library: they compile for a target without one. Checking the code is enough: libraries are not linked.

use std::process::Command;

use anyhow::Result;

use super::report::CheckReport;
use crate::process;
use crate::project::Project;
use crate::toolchain::{Toolchain, active};

/// A target without a standard library. It is WebAssembly and not bare x86-64 because aes and
/// polyval choose SIMD backends by architecture, and LLVM cannot compile these for the soft-float
/// targets of x86-64, whatever the versions of the crates. For WebAssembly, they have none.
const BARE: &str = "wasm32v1-none";
const PACKAGES: [&str; 24] = [
    "-p",
    "spillgate-core",
    "-p",
    "spillgate-config",
    "-p",
    "spillgate-codec",
    "-p",
    "spillgate-grpc",
    "-p",
    "spillgate-health",
    "-p",
    "spillgate-incident",
    "-p",
    "spillgate-lint",
    "-p",
    "spillgate-mesh",
    "-p",
    "spillgate-observe",
    "-p",
    "spillgate-steer",
    "-p",
    "spillgate-sim",
    "--no-default-features",
    "--features=spillgate-sim/world",
];

/// Compiles with core and alloc alone; a skip where no toolchain can.
pub fn run(project: &Project, report: &mut CheckReport) {
    let name = "core, codec, config, grpc, health, incident, lint, mesh, steer and sim compile with core and alloc alone";
    match command(project) {
        Ok(mut command) => report.check(name, process::run(&mut command)),
        Err(error) => report.skip(name, &format!("{error:#}")),
    }
}

/// The command, on the path that builds the filter and the playground too.
fn command(project: &Project) -> Result<Command> {
    let (mut command, folder) = match project.toolchain()? {
        Toolchain::Rustup { .. } => {
            active::add(BARE, "core")?;
            let mut command = project.cargo();
            command.args(["check", "--target", BARE]);
            (command, "no-std")
        }
        Toolchain::Debian(debian) => {
            let command = debian.cargo(&project.root, "check", "core,alloc");
            (command, "no-std-debian")
        }
    };
    command
        .args(PACKAGES)
        // Here alone, functions that no other library uses count as unused.
        .env("CARGO_ENCODED_RUSTFLAGS", "-Dwarnings")
        .arg("--target-dir")
        .arg(project.target.join(folder));
    Ok(command)
}
