//! The parts of a release in one folder, as `spillgate-release` reads them.

use std::path::PathBuf;

use anyhow::Result;

use super::command;
use crate::build;
use crate::dist;
use crate::files;
use crate::identity::BuildIdentity;
use crate::process;
use crate::project::Project;
use crate::toolchain::active;

/// Builds all parts. Returns their folder.
pub(super) fn build(project: &Project, identity: &BuildIdentity) -> Result<PathBuf> {
    let parts = project.out().join("release-parts");
    files::fresh_dir(&parts)?;
    build::everything(project)?;
    let page = dist::page_file(project)?;
    files::copy_dir(&project.www(), &parts.join("www"))?;
    files::copy(&page, &parts.join("playground.html"))?;
    files::copy(&project.filter_wasm(), &parts.join("spillgate.wasm"))?;
    files::copy(&project.dynamic_module(), &parts.join("libspillgate.so"))?;
    files::copy_dir(
        &project.root.join("playground/embed/npm"),
        &parts.join("npm"),
    )?;
    for file in ["LICENSE", "README.md", "Cargo.lock"] {
        files::copy(&project.root.join(file), &parts.join(file))?;
    }
    let mut metadata = project.cargo();
    metadata.args(["metadata", "--locked", "--format-version=1"]);
    let metadata = process::output(&mut metadata)?;
    files::write_atomically(&parts.join("metadata.json"), metadata)?;
    let modules = project.toolchain()?.path().name();
    let tools = format!("{}\nWebAssembly: {modules}\n", active::compiler()?);
    files::write_atomically(&parts.join("tools.txt"), tools)?;
    command::commands(project, &parts, identity)?;
    Ok(parts)
}
