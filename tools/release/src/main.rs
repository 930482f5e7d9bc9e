//! `spillgate-release PARTS FOLDER --version V --commit C --time SECONDS`: packs the parts into a folder,
//! opens every file of it, and prints what it opened.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use lexopt::prelude::*;
use spillgate_release::{Parts, ReleaseId, check, pack};

fn main() -> Result<()> {
    let (mut folders, mut version, mut commit, mut time) = (Vec::new(), None, None, None);
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("version") => version = Some(parser.value()?.string()?),
            Long("commit") => commit = Some(parser.value()?.string()?),
            Long("time") => time = Some(parser.value()?.parse()?),
            Value(folder) => folders.push(PathBuf::from(folder)),
            other => return Err(other.unexpected().into()),
        }
    }
    let id = ReleaseId {
        version: version.context("--version is required")?,
        commit: commit.context("--commit is required")?,
        time: time.context("--time is required")?,
    };
    let [parts, folder] = &folders[..] else {
        anyhow::bail!("two folders are required: PARTS and FOLDER");
    };
    let parts = Parts::new(parts);
    pack(&parts, &id, folder)?;
    for name in check(folder, &parts, &id)? {
        println!("  checked {name}");
    }
    Ok(())
}
