//! Files that others read while they change, and empty folders.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// Writes `path` so that a reader sees the old or the new content, never a part: a file next to it
/// is written and renamed. For Envoy the rename is the signal to read a watched file again.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn write_atomically(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    let parent = path.parent().context("a file needs a folder")?;
    fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.new", std::process::id()));
    let staged = path.with_file_name(name);
    fs::write(&staged, content).with_context(|| format!("cannot write {}", staged.display()))?;
    fs::rename(&staged, path).with_context(|| format!("cannot replace {}", path.display()))
}

/// Makes `path` an empty folder, whatever was there before.
///
/// # Errors
/// When the old content cannot be removed or the folder cannot be created.
pub fn fresh_dir(path: &Path) -> Result<()> {
    if path.exists() {
        fs::remove_dir_all(path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))
}
