//! The files of a built site.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// The files below a folder, relative to it, in order.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        let place = folder.join(&below);
        let entries = fs::read_dir(&place);
        for entry in entries.with_context(|| format!("cannot read {}", place.display()))? {
            let entry = entry?;
            let path = below.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
