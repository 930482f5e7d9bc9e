//! The corpus: a folder that runs change, and an archive of it in the repository.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::process;

/// The folder with a folder of inputs per target.
pub const FOLDER: &str = "fuzz/corpus";
/// Its archive. Thousands of small files are a burden for a repository.
const ARCHIVE: &str = "tests/fuzz/corpus.tar.xz";

/// Unpacks the archive, unless the folder exists.
pub fn unpack(root: &Path) -> Result<()> {
    if root.join(FOLDER).exists() || !root.join(ARCHIVE).exists() {
        return Ok(());
    }
    process::run(tar(root).args(["--extract", "--file", ARCHIVE]))
}

/// Replaces the archive. The same inputs give the same bytes.
pub fn pack(root: &Path) -> Result<()> {
    let mut pack = tar(root);
    pack.args(["--create", "--xz", "--file", ARCHIVE, "--sort=name"]);
    pack.args([
        "--mtime=@0",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        FOLDER,
    ]);
    process::run(&mut pack)
}

fn tar(root: &Path) -> Command {
    let mut tar = Command::new("tar");
    tar.current_dir(root);
    tar
}
