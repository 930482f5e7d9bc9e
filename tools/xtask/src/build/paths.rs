//! Folders of the machine that builds, which must not be in the files that it builds.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::project::Project;

/// Makes a native build the same in every folder and on every machine with the same toolchain.
pub fn same_everywhere(project: &Project, command: &mut Command) {
    command
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            without_folders(project).join("\x1f"),
        )
        .env_remove("RUSTFLAGS");
}

/// Compiler options that remove the folders of downloaded sources, of the checkout and of the build from
/// positions in a file. They name the builder's home, and are longer than the rest of a position.
pub(super) fn without_folders(project: &Project) -> Vec<String> {
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".cargo")));
    let registries = home
        .and_then(|home| home.join("registry/src").read_dir().ok())
        .into_iter()
        .flatten()
        .flatten();
    // The last fitting option counts: the folder of the build may be inside the checkout.
    let own = [project.root.clone(), project.target.clone()];
    own.into_iter()
        .chain(registries.map(|folder| folder.path()))
        .map(|folder| without(&folder))
        .collect()
}

fn without(folder: &Path) -> String {
    format!("--remap-path-prefix={}/=", folder.display())
}
