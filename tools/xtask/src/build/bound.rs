//! The modules with an interface of wasm-bindgen: the page, its further screens, its dialogs.

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
    /// The feature of the package with the content of the module; `None` for the default features.
    feature: Option<&'static str>,
    /// The start of the names of its files.
    pub name: &'static str,
    /// The global of its plain script.
    pub global: &'static str,
}

/// The page.
pub const PAGE: BoundModule = BoundModule {
    package: "spillgate-playground",
    feature: None,
    name: "playground",
    global: "wasm_bindgen",
};

/// Its further screens, and its import dialog, as `www/load-screens.js` requests them. Most
/// modules have the name of their feature.
pub const SCREENS: [BoundModule; 8] = [
    BoundModule {
        package: "spillgate-screens",
        feature: Some("failures"),
        name: "failures",
        global: "spillgateFailures",
    },
    BoundModule {
        package: "spillgate-screens",
        feature: Some("requests"),
        name: "requests",
        global: "spillgateRequests",
    },
    BoundModule {
        package: "spillgate-screens",
        feature: Some("inspectors"),
        name: "inspectors",
        global: "spillgateInspectors",
    },
    BoundModule {
        package: "spillgate-screens",
        feature: Some("lessons"),
        name: "lessons",
        global: "spillgateLessons",
    },
    BoundModule {
        package: "spillgate-screens",
        feature: Some("timeline"),
        name: "timeline",
        global: "spillgateTimeline",
    },
    BoundModule {
        package: "spillgate-screens",
        feature: Some("live"),
        // Not `live`: an Envoy refuses files below /live.
        name: "monitor",
        global: "spillgateMonitor",
    },
    BoundModule {
        package: "spillgate-import",
        feature: None,
        name: "import",
        global: "spillgateImport",
    },
    BoundModule {
        package: "spillgate-share",
        feature: None,
        name: "files",
        global: "spillgateFiles",
    },
];

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
        let options = match self.feature {
            Some(feature) => vec!["--no-default-features", "--features", feature],
            None => Vec::new(),
        };
        let module = wasm::build_with(project, self.package, PAGE_PROFILE, &options)?;
        bind(&module, dir, self.name, flavor)?;
        let bytes = files::read_bytes(&dir.join(self.file()))?;
        optimize::optimize(project, kept, &PAGE_PASSES, &bytes)
    }
}
