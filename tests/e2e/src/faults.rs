//! Deliberate panics in the dynamic module.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use spillgate_testkit::MODULES_FOLDER;

use crate::{Need, Workdir, needed};

/// Makes hooks of the module panic, each when a test orders it.
#[derive(Debug)]
pub struct DeliberatePanics {
    panics: String,
    modules: String,
}

impl DeliberatePanics {
    /// Nothing is ordered yet.
    ///
    /// # Errors
    /// When `SPILLGATE_FAULTY_MODULE` is not set.
    pub fn new(workdir: &Workdir) -> Result<Self> {
        let panics = workdir.path().join("panics");
        fs::create_dir(&panics)?;
        let module = needed(Need::FaultyModule)?;
        let text = |path: Option<&Path>| path.and_then(Path::to_str).map(str::to_owned);
        Ok(Self {
            panics: text(Some(&panics)).context("the folder is not UTF-8")?,
            modules: text(module.parent()).context("the folder is not UTF-8")?,
        })
    }

    /// The environment of an Envoy with this module.
    #[must_use]
    pub fn variables(&self) -> [(&str, &str); 2] {
        [
            (MODULES_FOLDER, &self.modules),
            ("SPILLGATE_PANICS", &self.panics),
        ]
    }

    /// Makes the next call of a hook panic.
    ///
    /// # Errors
    /// When the order cannot be written.
    pub fn order(&self, hook: &str) -> Result<()> {
        fs::write(self.order_of(hook), "")?;
        Ok(())
    }

    /// Whether the ordered panic has happened.
    #[must_use]
    pub fn happened(&self, hook: &str) -> bool {
        !self.order_of(hook).exists()
    }

    fn order_of(&self, hook: &str) -> PathBuf {
        Path::new(&self.panics).join(hook)
    }
}
