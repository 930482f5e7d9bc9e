//! The proof that core, config, link, lint, sim and wire need no standard library: they are built
//! where there is none.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use super::report::Report;
use crate::process;
use crate::project::Project;
use crate::toolchain::Debian;

/// A target that never has a standard library.
const BARE: &str = "x86_64-unknown-none";
const PACKAGES: [&str; 13] = [
    "-p",
    "spillgate-core",
    "-p",
    "spillgate-config",
    "-p",
    "spillgate-link",
    "-p",
    "spillgate-lint",
    "-p",
    "spillgate-sim",
    "-p",
    "spillgate-wire",
    "--no-default-features",
];
const RUSTUP_LIMIT: Duration = Duration::from_secs(120);

/// Builds with core and alloc alone; skipped, loudly, where no toolchain can.
pub fn run(project: &Project, report: &mut Report) {
    let name = "core, config, link, lint, sim and wire build with core and alloc alone";
    if let Some(debian) = Debian::find() {
        let mut command = debian.cargo(project, "core,alloc");
        command
            .args(PACKAGES)
            .arg("--target-dir")
            .arg(project.target.join("no-std"));
        report.check(name, process::run(&mut command));
        return;
    }
    match bare_target() {
        Ok(()) => {
            let mut command = process::cargo(&project.root);
            command.args(["build", "--target", BARE]).args(PACKAGES);
            command
                .arg("--target-dir")
                .arg(project.target.join("no-std"));
            report.check(name, process::run(&mut command));
        }
        Err(error) => report.skip(name, &format!("{error:#}")),
    }
}

/// Makes sure that the active toolchain can build for [`BARE`].
fn bare_target() -> Result<()> {
    if has_bare_target() {
        return Ok(());
    }
    let mut rustup = process::command("rustup", ["target", "add", BARE]);
    process::run_within(&mut rustup, RUSTUP_LIMIT)?;
    if !has_bare_target() {
        bail!("there is no target without a standard library; run `rustup target add {BARE}`");
    }
    Ok(())
}

fn has_bare_target() -> bool {
    let mut rustc = process::command("rustc", ["--print", "target-libdir", "--target", BARE]);
    process::output(&mut rustc).is_ok_and(|dir| Path::new(&dir).is_dir())
}
