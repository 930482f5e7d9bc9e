//! The documentation of the libraries, as part of the documentation site.

use std::path::Path;

use anyhow::Result;

use crate::project::Project;
use crate::{files, process};

/// The libraries that others can use.
const LIBRARIES: [&str; 16] = [
    "spillgate-answers",
    "spillgate-codec",
    "spillgate-config",
    "spillgate-core",
    "spillgate-diff",
    "spillgate-explain",
    "spillgate-export",
    "spillgate-grpc",
    "spillgate-health",
    "spillgate-incident",
    "spillgate-lint",
    "spillgate-mesh",
    "spillgate-observe",
    "spillgate-scenario",
    "spillgate-sim",
    "spillgate-steer",
];

/// Writes it into a folder.
pub fn write(project: &Project, folder: &Path) -> Result<()> {
    println!("building the documentation of the libraries");
    // Not the usual folder, which can contain documentation of other packages.
    let target = project.target.join("api");
    files::fresh_dir(&target.join("doc"))?;
    let mut command = project.cargo();
    command.args(["doc", "--no-deps", "--all-features"]);
    command.arg("--target-dir").arg(&target);
    for library in LIBRARIES {
        command.args(["--package", library]);
    }
    process::run(&mut command)?;
    files::copy_dir(&target.join("doc"), folder)
}
