//! The documentation site.

use std::path::Path;

use anyhow::Result;

use super::step::step;
use crate::process;
use crate::project::Project;

/// Whether the site is complete, or without the libraries' documentation, which takes minutes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SiteContent {
    Pages,
    PagesAndApi,
}

/// Builds the site into a folder, which is replaced. A program of its own has mdBook, so that other commands do not
/// wait for its compilation.
pub fn site(project: &Project, folder: &Path, content: SiteContent) -> Result<()> {
    let mut command = project.cargo();
    command.args(["run", "--quiet", "--package", "spillgate-site", "--"]);
    command.arg(folder);
    if content == SiteContent::PagesAndApi {
        command.arg("--api");
    }
    step("the documentation", || process::run(&mut command))
}
