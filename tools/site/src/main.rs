//! Builds the documentation site into a folder, which is replaced: `spillgate-site FOLDER [--api] [--external]`.
//! `--api` links to the documentation of the libraries, which `cargo xtask dist` puts into the folder `api`.
//! `--external` lists the links to other sites, which nothing fetches.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use spillgate_site::ApiLink;

fn main() -> ExitCode {
    spillgate_testkit::exit_code(run())
}

fn run() -> Result<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let folder = arguments.next().context("missing FOLDER")?;
    let options: Vec<_> = arguments.collect();
    let has = |name: &str| options.iter().any(|option| option == name);
    let api = if has("--api") {
        ApiLink::Shown
    } else {
        ApiLink::Omitted
    };
    let site = spillgate_site::build(spillgate_testkit::repository(), Path::new(&folder), api)?;
    let (pages, external) = (site.pages, site.external);
    println!("  {pages} pages, {} links to other sites", external.len());
    if has("--external") {
        for link in &external {
            println!("  {link}");
        }
    }
    Ok(ExitCode::SUCCESS)
}
