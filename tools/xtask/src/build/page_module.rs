//! The playground's module: its names, and its form for the playground in a single file, which is complete.

use std::fs;

use anyhow::Result;

use super::{PAGE_PASSES, PAGE_PROFILE, bind_script, optimize, wasm};
use crate::files;
use crate::project::Project;

/// A module with a script that loads it.
#[derive(Debug, Clone, Copy)]
pub struct PageModule {
    /// The package.
    pub(super) package: &'static str,
    /// The start of the names of its files.
    pub(super) name: &'static str,
    /// The global of its plain script.
    pub global: &'static str,
}

/// The playground.
pub const PAGE: PageModule = PageModule {
    package: "spillgate-playground",
    name: "playground",
    global: "wasm_bindgen",
};

impl PageModule {
    /// The file name of the module, as its script requests it.
    pub fn file(&self) -> String {
        format!("{}_bg.wasm", self.name)
    }

    /// The file name of its script.
    pub fn script(&self) -> String {
        format!("{}.js", self.name)
    }

    /// Its plain script, and the module that belongs to it.
    pub fn build_script(&self, project: &Project) -> Result<(String, Vec<u8>)> {
        let kept = format!("{}-script", self.name);
        let dir = project.stage().join(&kept);
        files::fresh_dir(&dir)?;
        let module = wasm::build(project, self.package, PAGE_PROFILE)?;
        bind_script(&module, &dir, self.name, self.global)?;
        let bytes = files::read_bytes(&dir.join(self.file()))?;
        let bytes = optimize::optimize(project, &kept, &PAGE_PASSES, &bytes)?;
        let script = files::read(&dir.join(self.script()))?;
        fs::remove_dir_all(&dir)?;
        Ok((script, bytes))
    }
}
