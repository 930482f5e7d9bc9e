//! A folder of a test below `target/e2e/`.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::Result;
use spillgate_config::filter::FilterForm;
use spillgate_testkit::{fresh_dir, repository, write_atomically};

/// Emptied when a test begins, kept when it ends. No other test uses it.
#[derive(Debug)]
pub struct Workdir {
    path: PathBuf,
    form: FilterForm,
    /// Held while the test runs: a second run of the same test waits for the first.
    _lock: File,
}

impl Workdir {
    /// The folder of that name.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(name: &str) -> Result<Self> {
        Self::below(target().join("e2e"), name)
    }

    /// The folder of a test that runs with each form of the filter.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn in_form(name: &str, form: FilterForm) -> Result<Self> {
        let folder = match form {
            FilterForm::Wasm => name.to_owned(),
            FilterForm::DynamicModule => format!("{name}_native"),
        };
        let workdir = Self::new(&folder)?;
        Ok(Self { form, ..workdir })
    }

    /// The form of the filter in the test.
    #[must_use]
    pub const fn form(&self) -> FilterForm {
        self.form
    }

    /// The folder in which a scenario of that name runs, below `target/spillgate/scenarios/`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn scenario(name: &str) -> Result<Self> {
        Self::below(target().join("spillgate/scenarios"), name)
    }

    fn below(root: PathBuf, name: &str) -> Result<Self> {
        let path = root.join(name);
        fs::create_dir_all(&root)?;
        let lock = File::create(root.join(format!("{name}.lock")))?;
        lock.lock()?;
        fresh_dir(&path)?;
        Ok(Self {
            path,
            form: FilterForm::Wasm,
            _lock: lock,
        })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file in one step, so that a watcher never reads half of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.path.join(name);
        write_atomically(&path, text)?;
        Ok(path)
    }
}

/// Cargo's target folder.
pub(crate) fn target() -> PathBuf {
    let project = repository();
    match env::var_os("CARGO_TARGET_DIR") {
        Some(target) if !target.is_empty() => project.join(target),
        _ => project.join("target"),
    }
}
