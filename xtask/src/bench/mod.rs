//! `cargo xtask bench`: the benchmarks of the `bench` package.

mod table;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};

use crate::files;
use crate::process;
use crate::project::Project;

/// Runs all of them; `json` is a file for the figures.
pub fn run(project: &Project, json: Option<&Path>) -> Result<()> {
    let mut command = process::cargo(&project.root);
    command.args(["bench", "--package", "spillgate-bench", "--benches"]);
    let text = process::shown(&command);
    println!("  $ {text}");
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{text}`"))?;
    let stdout = child.stdout.take().context("no output")?;
    let mut table = table::Table::default();
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        println!("{line}");
        table.read(&line);
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{text}` failed ({status})");
    }
    if let Some(file) = json {
        if table.is_empty() {
            bail!(
                "no figures were found in the output, so {} was not written",
                file.display()
            );
        }
        files::write_atomically(&std::path::absolute(file)?, table.json()?)?;
        println!("wrote {}", file.display());
    }
    Ok(())
}
