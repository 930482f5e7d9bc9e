//! `cargo xtask fuzz`: libFuzzer, guided by coverage, without cargo-fuzz.
//!
//! `tests/fuzz/README.md` describes the targets and what is kept.

mod build;
mod corpus;
mod run;
mod targets;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use anyhow::Result;

use self::build::Programs;
use self::run::TargetRun;
pub use self::targets::{TARGETS, Target};
use crate::process;
use crate::project::Project;

/// What `cargo xtask fuzz` does.
pub struct FuzzOptions {
    /// The targets; all if empty.
    pub targets: Vec<&'static Target>,
    /// How long each target runs.
    pub time: Duration,
    /// How many targets run at the same time.
    pub jobs: usize,
    /// An input to run instead.
    pub file: Option<PathBuf>,
    /// Whether the corpus replaces the one in the repository.
    pub save: bool,
}

impl Default for FuzzOptions {
    fn default() -> Self {
        Self {
            targets: Vec::new(),
            time: Duration::from_secs(60),
            jobs: thread::available_parallelism().map_or(1, Into::into),
            file: None,
            save: false,
        }
    }
}

/// Runs the targets and prints a table. Fails if a target has a finding.
pub fn run(project: &Project, options: &FuzzOptions) -> Result<ExitCode> {
    let programs = Programs::build(project)?;
    let targets = match options.targets.as_slice() {
        [] => TARGETS.iter().collect(),
        chosen => chosen.to_vec(),
    };
    if let Some(file) = &options.file {
        for target in targets {
            process::run(programs.command(target).arg(file))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    corpus::unpack(&project.root)?;
    let waiting = Mutex::new(targets.into_iter());
    let next = || waiting.lock().ok().and_then(|mut targets| targets.next());
    let work = || {
        let mut done = Vec::new();
        while let Some(target) = next() {
            let ran = run::target(&programs, target, options.time);
            if let Ok(ran) = &ran {
                println!("  {ran}");
            }
            done.push(ran);
        }
        done
    };
    println!("  {}", TargetRun::HEADER);
    let done = thread::scope(|scope| {
        let jobs: Vec<_> = (0..options.jobs.max(1))
            .map(|_| scope.spawn(work))
            .collect();
        let done = jobs
            .into_iter()
            .flat_map(|job| job.join().unwrap_or_default());
        done.collect::<Result<Vec<TargetRun>>>()
    })?;
    let findings: Vec<_> = done.iter().filter_map(|ran| ran.finding.as_ref()).collect();
    for finding in &findings {
        eprintln!("finding: {finding}");
    }
    let inputs: u64 = done.iter().map(|ran| ran.inputs).sum();
    println!("{inputs} inputs, {} findings", findings.len());
    if options.save && findings.is_empty() {
        corpus::pack(&project.root)?;
    }
    Ok(if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
