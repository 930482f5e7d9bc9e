//! The playground: the files of `www/` with the modules.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::step::{side_by_side, step};
use super::{EMBED, EMBED_SWEEP, FILTER_FILES, READERS, filter, split::split_page};
use super::{font, offline};
use crate::files;
use crate::project::Project;

/// A page that is being built. The first screen comes first, so that it can be served while the rest is built.
pub struct PageBuild<'a> {
    project: &'a Project,
    /// Its files so far.
    dir: PathBuf,
}

/// Builds the whole page with the filter, and lays it at its place.
pub fn page(project: &Project) -> Result<PathBuf> {
    let page = PageBuild::first_screen(project, || Ok(()))?;
    page.rest(|| Ok(()))
}

impl<'a> PageBuild<'a> {
    /// Builds the filter, and the playground without what it loads later; meanwhile also `other`, after the filter.
    pub fn first_screen(project: &'a Project, other: impl FnOnce() -> Result<()>) -> Result<Self> {
        // The first use of each can install it.
        project.toolchain()?;
        project.wasm_opt();
        let dir = project.stage().join(format!("www.{}", std::process::id()));
        files::fresh_dir(&dir)?;
        files::copy_dir(&project.root.join("www"), &dir)?;
        font::font(project, &dir)?;
        let filter_and_other = || {
            let shipped = filter(project)?;
            other()?;
            Ok(shipped)
        };
        let page = || step("the page", || split_page(project, &dir));
        let (modules, shipped) = side_by_side(page, filter_and_other)?;
        for (file, size) in modules {
            print_size(&file, size);
        }
        let [filter_file, ..] = FILTER_FILES;
        files::copy(&shipped, &dir.join(filter_file))?;
        Ok(Self { project, dir })
    }

    /// Builds what the playground loads later, meanwhile also `other`, and lays the playground at its place.
    pub fn rest(self, other: impl FnOnce() -> Result<()>) -> Result<PathBuf> {
        let later = || step("what the page loads later", || self.later());
        side_by_side(later, other)?;
        let place = self.lay()?;
        fs::remove_dir_all(&self.dir)?;
        Ok(place)
    }

    /// Lays the files so far at the place of the playground, which is replaced as a whole.
    pub fn lay(&self) -> Result<PathBuf> {
        let sealed = self.dir.with_extension("sealed");
        files::fresh_dir(&sealed)?;
        files::copy_dir(&self.dir, &sealed)?;
        let version = offline::seal(&sealed, self.project.commit())?;
        let place = self.project.www();
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        fs::rename(&sealed, &place)
            .with_context(|| format!("cannot create {}", place.display()))?;
        println!("  {}, version {version}", self.project.show(&place));
        Ok(place)
    }

    fn later(&self) -> Result<()> {
        let Self { project, dir } = self;
        for reader in READERS {
            add(dir, reader.file, &reader.build(project)?)?;
        }
        for embed in [EMBED, EMBED_SWEEP] {
            add(dir, embed.file, &embed.build(project)?)?;
        }
        Ok(())
    }
}

fn add(dir: &Path, file: &str, module: &[u8]) -> Result<()> {
    files::write_atomically(&dir.join(file), module)?;
    print_size(file, module.len());
    Ok(())
}

fn print_size(file: &str, bytes: usize) {
    println!("  {file} ({bytes} bytes)");
}
