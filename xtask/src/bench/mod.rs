//! `cargo xtask bench`: the figures that must hold, each beside a peer, then divan's tables and,
//! on demand, counts of instructions.

mod figures;
mod instructions;
mod program;
mod table;

use std::path::PathBuf;

use anyhow::{Result, bail};
use serde_json::{Map, Value};

use crate::files;
use crate::project::Project;
use program::Program;

/// What is asked for.
#[derive(Debug, Default)]
pub struct Options {
    /// A file for all figures.
    pub json: Option<PathBuf>,
    /// Whether instructions are counted.
    pub instructions: bool,
    /// Whether divan's tables are left out.
    pub figures_only: bool,
}

/// Measures and prints; an error when a figure does not hold.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    let program = Program::build(project)?;
    let mut all = Map::new();
    let mut failed = Vec::new();
    let figures = figures::run(&program)?;
    failed.extend(
        figures
            .iter()
            .filter(|f| !f.passes())
            .map(figures::Figure::title),
    );
    all.insert(
        "figures".into(),
        figures.iter().map(figures::Figure::json).collect(),
    );
    if options.instructions {
        let counts = instructions::run(&program)?;
        failed.extend(
            counts
                .iter()
                .filter(|c| !c.passes())
                .map(instructions::Count::title),
        );
        all.insert(
            "instructions".into(),
            counts.iter().map(instructions::Count::json).collect(),
        );
    }
    if !options.figures_only {
        let mut table = table::Table::default();
        program.lines(&[], |line| {
            println!("{line}");
            table.read(line);
        })?;
        if table.is_empty() {
            bail!("no figures were found in divan's output");
        }
        all.insert("benchmarks".into(), table.into_json());
    }
    if let Some(file) = &options.json {
        let text = serde_json::to_string_pretty(&Value::Object(all))? + "\n";
        files::write_atomically(&std::path::absolute(file)?, text)?;
        println!("wrote {}", file.display());
    }
    if !failed.is_empty() {
        bail!(
            "{} figures do not hold: {}",
            failed.len(),
            failed.join("; ")
        );
    }
    println!("all figures hold");
    Ok(())
}
