//! The configurations of `envoy-config/` with the real Envoy: each README shows what happens.

use anyhow::{Result, ensure};
use spillgate_e2e::Workdir;
use spillgate_e2e::scenario::{Outcome, Ports, Running, Scenario, check};

/// Every scenario has a test of its own, so that they run side by side.
const TESTED: &[&str] = &["ecds"];

#[test]
fn every_scenario_is_tested() -> Result<()> {
    let all = Scenario::all()?;
    let names: Vec<&str> = all.iter().map(Scenario::name).collect();
    ensure!(names == TESTED, "there are {names:?}");
    Ok(())
}

#[test]
fn a_filter_from_a_file_changes_without_a_lost_request() -> Result<()> {
    as_its_readme_says("ecds").map(drop)
}

/// A scenario that has run its README's commands, whose outputs were those that it shows.
struct Held {
    running: Running,
    _workdir: Workdir,
}

fn as_its_readme_says(name: &str) -> Result<Held> {
    let scenario = Scenario::named(name)?;
    let ports = Ports::free(&scenario.bootstrap()?)?;
    let workdir = Workdir::new(&format!("scenario-{name}"))?;
    let mut running = Running::start(&scenario, workdir.path(), ports)?;
    let outcomes = check(&scenario, &mut running, |_| ())?;
    let faults: Vec<String> = outcomes.iter().filter_map(told).collect();
    ensure!(
        faults.is_empty(),
        "envoy-config/{name}/README.md:\n{}\nEnvoy's log ends with:\n{}",
        faults.join("\n"),
        running.log_end()
    );
    Ok(Held {
        running,
        _workdir: workdir,
    })
}

fn told(outcome: &Outcome) -> Option<String> {
    let fault = outcome.fault.as_ref()?;
    Some(format!("$ {}\n{fault}", outcome.command))
}
