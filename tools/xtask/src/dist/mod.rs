//! `cargo xtask dist`: the release files.

mod api;
mod single_file;

use std::path::PathBuf;

use anyhow::Result;

use crate::build::CommandPage;
use crate::project::Project;
use crate::{build, files};

/// Builds everything into `dist/`, which is replaced.
pub fn run(project: &Project) -> Result<()> {
    build::everything(project)?;
    println!("building the command line");
    let command = build::command(project, CommandPage::Embedded)?;
    let page = page_file(project)?;

    let dist = project.root.join("dist");
    files::fresh_dir(&dist)?;
    files::copy(&project.filter_wasm(), &dist.join("spillgate.wasm"))?;
    files::copy(&project.dynamic_module(), &dist.join("libspillgate.so"))?;
    files::copy_dir(&project.www(), &dist.join("www"))?;
    let docs = dist.join("www/docs");
    build::site(project, &docs, build::SiteContent::PagesAndApi)?;
    api::write(project, &docs.join("api"))?;
    let program = format!("spillgate{}", std::env::consts::EXE_SUFFIX);
    files::copy(&command, &dist.join(&program))?;
    files::copy(&page, &dist.join("playground.html"))?;
    for name in [
        "spillgate.wasm",
        "libspillgate.so",
        "www",
        &program,
        "playground.html",
    ] {
        println!("  {}", project.show(&dist.join(name)));
    }
    Ok(())
}

/// Builds the playground in a single file from the folder that was built last, and lays it at its place.
pub fn page_file(project: &Project) -> Result<PathBuf> {
    println!("building the playground in a single file");
    let html = single_file::inline(project)?;
    let place = project.page_file();
    files::write_atomically(&place, html)?;
    println!("  {}", project.show(&place));
    Ok(place)
}
