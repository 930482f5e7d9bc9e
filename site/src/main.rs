//! Builds the documentation site into a folder, which is replaced: `spillgate-site FOLDER [--external]`.
//! `--external` lists the links to other sites, which nothing fetches.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};

fn main() -> ExitCode {
    spillgate_testkit::exit_code(run())
}

fn run() -> Result<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let folder = arguments.next().context("missing FOLDER")?;
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let site = spillgate_site::build(&repository.canonicalize()?, Path::new(&folder))?;
    println!(
        "  {} pages, {} links to other sites",
        site.pages,
        site.external.len()
    );
    if arguments
        .next()
        .is_some_and(|option| option == "--external")
    {
        for link in &site.external {
            println!("  {link}");
        }
    }
    Ok(ExitCode::SUCCESS)
}
