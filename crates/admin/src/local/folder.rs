//! Folders that end with their owner.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

/// Distinguishes the folders of this process.
static CREATED: AtomicU32 = AtomicU32::new(0);

/// A folder below that for temporary files. Dropping it removes it.
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// A new folder; its name contains `what`.
    ///
    /// # Errors
    /// If it exists already or cannot be created.
    pub fn new(what: &str) -> Result<Self, String> {
        let number = CREATED.fetch_add(1, Ordering::Relaxed);
        let name = format!("spillgate-{what}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        match fs::create_dir(&path) {
            Ok(()) => Ok(Self(path)),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // Temporary files that remain do no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
