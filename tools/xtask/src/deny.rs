//! `cargo xtask deny`: licenses, second versions, sources and known faults of all dependencies.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::project::Project;
use crate::{files, process};

/// The version of cargo-deny.
const VERSION: &str = "0.20.2";
/// How long its build may take.
const BUILD_LIMIT: Duration = Duration::from_secs(60 * 60);
/// How long the download of the known faults may take.
const FETCH_LIMIT: Duration = Duration::from_secs(120);
/// What needs no database.
const CHECKS: [&str; 3] = ["licenses", "bans", "sources"];

/// Checks the lock file against `.cargo/deny.toml`. Prints if the known faults cannot be checked.
pub fn run(project: &Project) -> Result<ExitCode> {
    let program = find_or_install(&project.cache())?;
    let deny = |arguments: &[&str]| {
        let mut command = process::command(&program, ["--locked"]);
        command.args(arguments).current_dir(&project.root);
        process::without_cargo_env(&mut command);
        command
    };
    let check = |names: &[&str]| process::run(&mut deny(&[&["check"], names].concat()));
    let mut results = vec![check(&CHECKS)];
    match process::run_within(&mut deny(&["fetch", "db"]), FETCH_LIMIT) {
        Ok(()) => results.push(check(&["advisories"])),
        Err(_) => println!(
            "== NOT CHECKED: known faults of dependencies: the database of advisories cannot be had \
             (the reason is above)"
        ),
    }
    let mut code = ExitCode::SUCCESS;
    for error in results.iter().filter_map(|result| result.as_ref().err()) {
        eprintln!("{error:#}");
        code = ExitCode::FAILURE;
    }
    Ok(code)
}

/// The program on PATH if it has the version, or a fresh build in the cache.
fn find_or_install(cache: &Path) -> Result<PathBuf> {
    if let Some(found) = process::on_path("cargo-deny")
        && process::output(Command::new(&found).arg("--version"))?
            == format!("cargo-deny {VERSION}")
    {
        return Ok(found);
    }
    let home = cache.join(format!("cargo-deny-{VERSION}"));
    let program = home.join("bin/cargo-deny");
    if !program.is_file() {
        println!("  building cargo-deny {VERSION}, a few minutes");
        files::install_dir(&home, |staging| {
            // Outside of the workspace, whose settings are not for this program.
            let mut cargo = process::cargo(cache);
            cargo.args(["install", "cargo-deny", "--locked", "--quiet", "--version"]);
            cargo.arg(format!("={VERSION}")).arg("--root").arg(staging);
            process::run_within(&mut cargo, BUILD_LIMIT)
        })
        .context("cargo-deny is not installed")?;
    }
    Ok(program)
}
