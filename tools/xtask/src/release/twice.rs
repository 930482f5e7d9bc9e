//! Whether two builds of a release in different folders are identical.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail, ensure};

use crate::files;
use crate::identity::workspace_version;
use crate::process;
use crate::project::Project;

/// The folders of the clones. Their lengths differ, because a path in a file also moves what follows it.
const CLONES: [&str; 2] = ["one", "another-one"];

/// Builds the release in two clones of the present commit, and compares their files. Prints the number of
/// files, or which ones differ.
pub fn build_twice(project: &Project) -> Result<()> {
    let version = workspace_version(&project.root)?;
    let home = project.target.join("reproducible");
    files::fresh_dir(&home)?;
    // Both exist before the first build, because a commit during the builds must not become a difference.
    for name in CLONES {
        let mut git = process::command("git", ["clone", "--quiet", "--no-local"]);
        process::run(git.args([&project.root, &home.join(name)]))?;
    }
    let mut sums = Vec::new();
    for name in CLONES {
        let clone = home.join(name);
        release(project, &clone, &version)?;
        sums.push(files::read(&clone.join("dist/release/SHA256SUMS"))?);
        // The next build needs the space.
        fs::remove_dir_all(clone.join("target"))?;
    }
    let [one, other] = &sums[..] else {
        bail!("not two releases");
    };
    let differing: Vec<&str> = one
        .lines()
        .filter(|line| !other.lines().any(|found| found == *line))
        .filter_map(|line| line.split_once("  ").map(|(_, file)| file))
        .collect();
    ensure!(
        one == other,
        "files that differ between two builds in {}: {}",
        home.display(),
        differing.join(", ")
    );
    println!("{} files are identical in two builds", one.lines().count());
    Ok(())
}

/// Runs this program for a clone, with a target folder of its own.
fn release(project: &Project, clone: &Path, version: &str) -> Result<()> {
    let mut command = process::command(process::this_program()?, ["release", version]);
    if let Ok(toolchain) = project.toolchain() {
        command.arg("--toolchain").arg(toolchain.path().name());
    }
    command
        .current_dir(clone)
        .env("CARGO_MANIFEST_DIR", clone)
        .env("CARGO_TARGET_DIR", clone.join("target"));
    process::run(&mut command)
}
