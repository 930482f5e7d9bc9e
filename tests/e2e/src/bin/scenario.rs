//! Runs a configuration of `envoy-config/`; `cargo xtask scenario` starts it.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context as _, Result};
use spillgate_e2e::Workdir;
use spillgate_e2e::scenario::{
    Mode, Running, ScenarioCommand, ScenarioFolder, ScenarioPorts, check, parse, record, steps,
};
use spillgate_testkit::exit_code;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    exit_code(start())
}

fn start() -> Result<ExitCode> {
    match parse(lexopt::Parser::from_env())? {
        ScenarioCommand::List => {
            for scenario in ScenarioFolder::all()? {
                println!("{:<24}{}", scenario.name(), scenario.title()?);
            }
            Ok(ExitCode::SUCCESS)
        }
        ScenarioCommand::Run { name, mode } => {
            let scenario = ScenarioFolder::named(&name)?;
            match mode {
                Mode::Serve => serve(&scenario),
                Mode::Check | Mode::Record => hold(&scenario, mode),
            }
        }
    }
}

fn serve(scenario: &ScenarioFolder) -> Result<ExitCode> {
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::SeqCst))
        .context("cannot handle Ctrl-C on this system")?;
    let ports = ScenarioPorts::given(&scenario.bootstraps()?)?;
    let workdir = Workdir::scenario(scenario.name())?;
    let mut running = Running::start(scenario, workdir.path(), ports)?;
    println!("{}\n", scenario.title()?);
    for line in scenario.addresses()? {
        println!("  {line}");
    }
    let processes: Vec<String> = running.processes().map(|id| id.to_string()).collect();
    let processes = processes.join(" and ");
    println!("\nEnvoy (process {processes}) serves. In another terminal:\n");
    println!("  cd '{}'", workdir.path().display());
    for step in steps(&scenario.readme()?) {
        println!("  {}", step.command.replace('\n', "\n  "));
    }
    println!(
        "\nenvoy-config/{}/README.md shows their output. Press Ctrl-C to stop.",
        scenario.name()
    );
    while !INTERRUPTED.load(Ordering::SeqCst) {
        running.check_alive()?;
        sleep(Duration::from_millis(100));
    }
    println!("\nstopping Envoy (process {processes})");
    Ok(ExitCode::SUCCESS)
}

fn hold(scenario: &ScenarioFolder, mode: Mode) -> Result<ExitCode> {
    let ports = ScenarioPorts::free(&scenario.bootstraps()?)?;
    let workdir = Workdir::scenario(&format!("{}-check", scenario.name()))?;
    let mut running = Running::start(scenario, workdir.path(), ports)?;
    let outcomes = check(scenario, &mut running, |outcome| match &outcome.fault {
        None => println!("  ok    {}", outcome.command),
        Some(fault) => println!("  FAIL  {}\n  {fault}", outcome.command),
    })?;
    if mode == Mode::Record {
        record(scenario, &outcomes)?;
    }
    let failed = outcomes.iter().filter(|one| one.fault.is_some()).count();
    println!(
        "{}: {} passed, {failed} failed",
        scenario.name(),
        outcomes.len() - failed
    );
    Ok(match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}
