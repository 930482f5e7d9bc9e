//! `cargo xtask deny`: licenses, second versions, sources and known faults of all dependencies.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use crate::process;
use crate::project::Project;
use crate::toolchain::CARGO_DENY;

/// How long the download of the known faults may take.
const FETCH_LIMIT: Duration = Duration::from_secs(120);
/// What needs no database.
const CHECKS: [&str; 3] = ["licenses", "bans", "sources"];

/// Checks the lock file against `.cargo/deny.toml`. Prints if the known faults cannot be checked.
pub fn run(project: &Project) -> Result<ExitCode> {
    let program = CARGO_DENY.find_or_install(&project.cache())?;
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
