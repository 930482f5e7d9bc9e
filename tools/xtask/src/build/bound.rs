//! The modules with an interface of wasm-bindgen: the page, and what is not split off it.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::{Flavor, PAGE_PASSES, PAGE_PROFILE, bind, optimize, wasm};
use crate::files;
use crate::project::Project;

/// A module with a script that loads it.
#[derive(Debug, Clone, Copy)]
pub struct BoundModule {
    /// The package.
    pub(super) package: &'static str,
    /// The start of the names of its files.
    pub name: &'static str,
    /// The global of its plain script.
    pub global: &'static str,
}

/// The page.
pub const PAGE: BoundModule = BoundModule {
    package: "spillgate-playground",
    name: "playground",
    global: "wasm_bindgen",
};

/// What prepares requests for the filter in the worker of `www/filter.js`.
pub const FILTER_REQUESTS: BoundModule = BoundModule {
    package: "spillgate-share",
    name: "files",
    global: "spillgateFiles",
};

impl BoundModule {
    /// The file name of the module, as its script requests it.
    pub fn file(&self) -> String {
        format!("{}_bg.wasm", self.name)
    }

    /// The file name of its script.
    pub fn script(&self) -> String {
        format!("{}.js", self.name)
    }

    /// Builds it into a folder, with its script as an ES module. Returns the number of bytes.
    pub fn build(&self, project: &Project, dir: &Path) -> Result<usize> {
        let bytes = self.bound(project, dir, Flavor::Module, self.name)?;
        files::write_atomically(&dir.join(self.file()), &bytes)?;
        Ok(bytes.len())
    }

    /// Its plain script, and the module that belongs to it.
    pub fn build_script(&self, project: &Project) -> Result<(String, Vec<u8>)> {
        let kept = format!("{}-script", self.name);
        let dir = project.stage().join(&kept);
        files::fresh_dir(&dir)?;
        let flavor = Flavor::Script {
            global: self.global,
        };
        let bytes = self.bound(project, &dir, flavor, &kept)?;
        let script = files::read(&dir.join(self.script()))?;
        fs::remove_dir_all(&dir)?;
        Ok((script, bytes))
    }

    fn bound(&self, project: &Project, dir: &Path, flavor: Flavor, kept: &str) -> Result<Vec<u8>> {
        let module = wasm::build(project, self.package, PAGE_PROFILE)?;
        bind(&module, dir, self.name, flavor)?;
        let bytes = files::read_bytes(&dir.join(self.file()))?;
        optimize::optimize(project, kept, &PAGE_PASSES, &bytes)
    }
}
