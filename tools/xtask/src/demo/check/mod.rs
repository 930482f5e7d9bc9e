//! `demo --check`: the whole demo on free ports, with real requests.
//!
//! Every check runs, also after one that fails; each prints one line with its result.

mod failover;
mod live;
mod page;
mod probe;
mod service;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

use super::instance::DemoInstance;
use super::{DemoForm, DemoPorts};
use crate::interrupt;
use crate::project::Project;
use probe::Probe;

/// One thing that must hold.
type Check = (&'static str, fn(&Probe<'_>) -> Result<()>);

/// In the order in which they run: those of `failover` change the health of hosts and heal them.
const CHECKS: [&[Check]; 4] = [
    &service::CHECKS,
    &page::CHECKS,
    &live::CHECKS,
    &failover::CHECKS,
];

/// The result of one check.
pub struct CheckOutcome {
    pub name: &'static str,
    /// Why it failed.
    pub fault: Option<String>,
}

/// Runs the checks and prints them; the exit code is 0 if all hold.
pub fn run(project: &Project, envoy: &Path, form: DemoForm) -> Result<ExitCode> {
    let outcomes = all(project, envoy, form)?;
    let failed = outcomes.iter().filter(|one| one.fault.is_some()).count();
    println!("demo: {} passed, {failed} failed", outcomes.len() - failed);
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Starts a demo of its own, runs the checks, and ends it.
pub fn all(project: &Project, envoy: &Path, form: DemoForm) -> Result<Vec<CheckOutcome>> {
    println!(
        "checking the demo ({}) with {}",
        form.name(),
        envoy.display()
    );
    let (ports, _leases) = DemoPorts::free()?;
    let dir = project
        .out()
        .join(format!("demo-check-{}", std::process::id()));
    let demo = DemoInstance::start(project, envoy, form, &ports, &dir)?;
    let probe = Probe::new(project, &demo.state, &dir)?;
    let mut outcomes = Vec::new();
    for (name, check) in CHECKS.into_iter().flatten() {
        interrupt::check()?;
        let fault = check(&probe).err().map(|error| format!("{error:#}"));
        match &fault {
            None => println!("  ok    {name}"),
            Some(fault) => println!("  FAIL  {name}: {fault}"),
        }
        outcomes.push(CheckOutcome { name, fault });
    }
    if outcomes.iter().any(|one| one.fault.is_some()) {
        println!(
            "  Envoy's log ends with:\n{}",
            demo.server.process.log_end()
        );
    }
    drop(demo);
    std::fs::remove_dir_all(&dir).ok();
    if outcomes.is_empty() {
        bail!("no checks were run");
    }
    Ok(outcomes)
}
