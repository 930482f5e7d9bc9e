//! Measures several versions of Envoy and writes the table in docs/compatibility.md;
//! `cargo xtask reliability envoy-versions` starts it.
//!
//! Each version is measured by a process of its own, which has the version in `ENVOY`. Without arguments,
//! this is the process that starts them.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use spillgate_e2e::compatibility::{measure, table};
use spillgate_e2e::{Need, figure, needed};
use spillgate_testkit::{repository, write_block};

/// Topologies for each version.
const TOPOLOGIES: usize = 480;
/// The argument of the process that measures one version.
const ONE: &str = "--one";

fn main() -> Result<()> {
    if env::args().nth(1).is_some_and(|argument| argument == ONE) {
        println!("{}", measure(TOPOLOGIES)?);
        return Ok(());
    }
    let older = env::var_os("SPILLGATE_OLDER_ENVOYS")
        .context("SPILLGATE_OLDER_ENVOYS is not set; it must list programs")?;
    let programs = env::split_paths(&older).chain([needed(Need::Envoy)?]);
    let results: Vec<Value> = programs
        .map(|program| measured(&program))
        .collect::<Result<_>>()?;
    let document = repository().join("docs/compatibility.md");
    write_block(&document, "versions", &table(&results))?;
    for result in &results {
        figure(format!(
            "{}: {} scenarios as recorded",
            result["version"].as_str().unwrap_or_default(),
            result["recorded"]["passed"]
        ));
    }
    Ok(())
}

/// The results of one version.
fn measured(program: &Path) -> Result<Value> {
    println!("measuring {}", program.display());
    let output = Command::new(env::current_exe()?)
        .arg(ONE)
        .env("ENVOY", program)
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(
        output.status.success(),
        "{} was not measured",
        program.display()
    );
    let text = String::from_utf8(output.stdout)?;
    let last = text.lines().last().context("no result")?;
    Ok(serde_json::from_str(last)?)
}
