//! Holds the engine against the real Envoy over random topologies; `cargo xtask differential`
//! starts it.

use std::process::ExitCode;

use anyhow::Result;
use spillgate_e2e::Workdir;
use spillgate_e2e::differential::{DifferentialCommand, Features, parse, run};
use spillgate_testkit::exit_code;

fn main() -> ExitCode {
    exit_code(start())
}

fn start() -> Result<ExitCode> {
    let settings = match parse(lexopt::Parser::from_env())? {
        DifferentialCommand::Run(settings) => settings,
        DifferentialCommand::Features => {
            for name in Features::default().names() {
                println!("{name}");
            }
            return Ok(ExitCode::SUCCESS);
        }
    };
    println!("seed {}", settings.seed);
    let workdir = Workdir::new("differential")?;
    let summary = run(&settings, &workdir)?;
    println!("{summary}");
    Ok(if summary.failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
