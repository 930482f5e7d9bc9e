//! The documentation site next to the playground, as servers have it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::playground::Playground;
use crate::{Need, Workdir, needed};

/// One page of each kind, by its address in the site.
pub const KINDS_OF_PAGES: [&str; 8] = [
    // Pictures and short texts.
    "index.html",
    // Scenarios: bars, and a table.
    "concepts/priorities.html",
    "concepts/aggregates.html",
    // Tables, wide output of commands, and a long list of headings.
    "troubleshooting.html",
    "what-if.html",
    "lint.html",
    // A picture in SVG, and a page with a file of the repository.
    "mesh/cases.html",
    "source/vectors/deviations-json.html",
];

/// A folder with the playground and the site.
///
/// # Errors
/// If one of them was not built, or cannot be copied.
pub fn with_page(workdir: &Workdir) -> Result<PathBuf> {
    let folder = Playground::copy(workdir)?;
    copy_dir(&needed(Need::Docs)?, &folder.join("docs"))?;
    Ok(folder)
}

fn copy_dir(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_dir(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
