//! `cargo xtask bench`: the figures that must hold, each compared with a peer, the cost of the
//! filter, of live health and of a command's reads in Envoy, the speed of the playground, then divan's tables and, on demand, counts of instructions.

mod callgrind;
mod cost;
mod figures;
mod instructions;
mod machine;
mod program;
mod table;

use std::path::PathBuf;

use anyhow::{Result, bail};
use serde_json::{Map, Value};

use crate::project::Project;
use crate::{files, toolchain};
pub use callgrind::Callgrind;
use cost::Cost;
pub use program::{Peers, Program, in_envoy};

/// The options of `cargo xtask bench`.
#[derive(Debug, Default)]
pub struct BenchOptions {
    /// A file for all figures.
    pub json: Option<PathBuf>,
    /// Whether instructions are counted.
    pub instructions: bool,
    /// Whether divan's tables are left out.
    pub figures_only: bool,
    /// The one part that is wanted; all are without it.
    pub only: Option<BenchPart>,
    /// How many times the figures are measured.
    pub runs: Option<u32>,
}

/// One run alone depends too much on the moment.
const RUNS: u32 = 3;

/// A part that can be measured alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BenchPart {
    /// The engine compared with its peers.
    Engine,
    /// The filter in a real Envoy.
    Filter,
    /// Live health in a real Envoy.
    Polls,
    /// A command that reads a running Envoy.
    Admin,
    /// The playground in a real browser.
    Page,
    /// The first load of the playground, rated by Lighthouse.
    Lighthouse,
}

impl BenchPart {
    /// The part of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "engine" => Some(Self::Engine),
            "filter" => Some(Self::Filter),
            "polls" => Some(Self::Polls),
            "admin" => Some(Self::Admin),
            "page" => Some(Self::Page),
            "lighthouse" => Some(Self::Lighthouse),
            _ => None,
        }
    }
}

/// Measures and prints; an error when a figure does not hold.
pub fn run(project: &Project, options: &BenchOptions) -> Result<()> {
    let mut all = Map::new();
    let mut failed = Vec::new();
    let wanted = |part| options.only.is_none_or(|only| only == part);
    if wanted(BenchPart::Engine) {
        engine(project, options, &mut all, &mut failed)?;
    }
    for (part, name, measurement) in [
        (BenchPart::Filter, "filter", &cost::FILTER),
        (
            BenchPart::Filter,
            "filter_instructions",
            &cost::FILTER_INSTRUCTIONS,
        ),
        (BenchPart::Polls, "polls", &cost::POLLS),
        (BenchPart::Admin, "admin", &cost::ADMIN),
        (BenchPart::Page, "page", &cost::PAGE),
        (BenchPart::Page, "page_bytes", &cost::PAGE_BYTES),
        (BenchPart::Lighthouse, "lighthouse", &cost::LIGHTHOUSE),
    ] {
        let is_wanted = match name {
            "filter_instructions" => wanted(part) && options.instructions,
            _ => wanted(part),
        };
        if is_wanted {
            let costs = cost::run(project, measurement)?;
            let missed = costs.iter().filter(|cost| !cost.passes());
            failed.extend(missed.map(Cost::title));
            all.insert(name.into(), costs.iter().map(Cost::json).collect());
        }
    }
    if let Some(file) = &options.json {
        let text = serde_json::to_string_pretty(&Value::Object(all))? + "\n";
        files::write_atomically(&std::path::absolute(file)?, text)?;
        println!("wrote {}", file.display());
    }
    if !failed.is_empty() {
        bail!(
            "{} figures exceed their limits: {}",
            failed.len(),
            failed.join("; ")
        );
    }
    println!("all figures hold");
    Ok(())
}

/// The engine compared with its peers.
fn engine(
    project: &Project,
    options: &BenchOptions,
    all: &mut Map<String, Value>,
    failed: &mut Vec<String>,
) -> Result<()> {
    let program = Program::build(project)?;
    println!("machine: {}", machine::describe());
    let figures = figures::run(&program, options.runs.unwrap_or(RUNS))?;
    println!("machine: {}", machine::describe());
    all.insert("machine".into(), machine::describe().into());
    failed.extend(
        figures
            .iter()
            .filter(|f| !f.passes())
            .map(figures::PeerFigure::title),
    );
    all.insert(
        "figures".into(),
        figures.iter().map(figures::PeerFigure::json).collect(),
    );
    if options.instructions {
        let program = Program::instructions(project, Peers::With)?;
        let counts = instructions::run(&Callgrind::new(toolchain::valgrind()?, &program))?;
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
            bail!("no figures in divan's output");
        }
        all.insert("benchmarks".into(), table.into_json());
    }
    Ok(())
}
