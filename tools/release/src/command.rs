//! The command with its completions and manual pages, one archive a target.

use anyhow::{Result, ensure};

use crate::archive::{ArchiveFile, ArchiveFiles, read_tar_gz, tar_gz};
use crate::artifact::Artifact;
use crate::parts::{Parts, ReleaseId};

/// The file name of the program in archives and packages.
pub(crate) const PROGRAM: &str = "spillgate";

/// The archive of each target with a command.
pub(crate) fn archives(parts: &Parts, id: &ReleaseId) -> Result<Vec<Artifact>> {
    let of = |target: String| {
        let root = root(&target, id);
        let mut files = ArchiveFiles::new();
        let mut add = |path: &str, file| files.insert(format!("{root}/{path}"), file);
        let program = parts.bytes(&format!("commands/{target}/{PROGRAM}"))?;
        add(PROGRAM, ArchiveFile::program(program));
        for folder in ["completions", "man"] {
            for (name, bytes) in parts.tree(folder)? {
                add(&format!("{folder}/{name}"), ArchiveFile::data(bytes));
            }
        }
        for name in ["LICENSE", "README.md"] {
            add(name, ArchiveFile::data(parts.bytes(name)?));
        }
        Ok(Artifact::new(
            format!("{root}.tar.gz"),
            format!("the command for {target}, with completions and manual pages"),
            tar_gz(&files, id.time)?,
        ))
    };
    parts.targets()?.into_iter().map(of).collect()
}

/// Checks that the archive of a target has the program with its help.
pub(crate) fn check(bytes: &[u8], parts: &Parts, target: &str, id: &ReleaseId) -> Result<()> {
    let files = read_tar_gz(bytes)?;
    let root = root(target, id);
    let program = ArchiveFile::program(parts.bytes(&format!("commands/{target}/{PROGRAM}"))?);
    let found = files.get(&format!("{root}/{PROGRAM}"));
    ensure!(found == Some(&program), "other program than the built one");
    for path in [
        "completions/spillgate.bash",
        "man/spillgate.1",
        "LICENSE",
        "README.md",
    ] {
        ensure!(files.contains_key(&format!("{root}/{path}")), "no {path}");
    }
    Ok(())
}

fn root(target: &str, id: &ReleaseId) -> String {
    format!("spillgate-{}-{target}", id.version)
}
