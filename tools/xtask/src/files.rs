//! File operations whose errors name the file.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

pub use spillgate_testkit::{fresh_dir, write_atomically};

/// Reads a text file.
pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Reads a file of bytes.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Copies the files and folders of `from` into `to`, which may exist.
pub fn copy_dir(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    let entries = fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?;
    for entry in entries {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_dir(&entry.path(), &target)?;
        } else {
            copy(&entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Copies one file.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// Fills a folder. It is filled under another name, which is then changed, so that an interrupted
/// download leaves nothing.
pub fn install_dir(home: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let name = home.file_name().context("a folder without a name")?;
    let name = format!("{}.{}.part", name.display(), std::process::id());
    let staging = home.with_file_name(name);
    fresh_dir(&staging)?;
    if let Err(error) = fill(&staging) {
        fs::remove_dir_all(&staging).ok();
        return Err(error);
    }
    if home.exists() {
        fs::remove_dir_all(home)?;
    }
    fs::rename(&staging, home).with_context(|| format!("cannot create {}", home.display()))
}
