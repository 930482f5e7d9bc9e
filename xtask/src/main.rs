//! The project's commands: `cargo xtask demo`, `scenario`, `test`, `dist`, `bench`, `build`,
//! `differential`, `fuzz` and `tokens`.
//!
//! They need a Rust toolchain and nothing else on the machine: what is missing is found or
//! installed ([`toolchain`]), and each step says what it does. Nothing that ships depends on this
//! crate, and nothing here balances load: the demo and the tests run what was built.

mod args;
mod bench;
mod build;
mod callgrind;
mod checks;
mod demo;
mod differential;
mod dist;
mod envoy;
mod files;
mod fuzz;
mod help;
mod http;
mod interrupt;
mod process;
mod project;
mod scenario;
mod toolchain;

use std::process::ExitCode;

use args::Command;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    let command = args::parse(lexopt::Parser::from_env())?;
    let project = project::Project::find()?;
    match command {
        Command::Help(text) => print!("{text}"),
        Command::Build { page: true } => build::everything(&project)?,
        Command::Build { page: false } => drop(build::filter(&project)?),
        Command::Demo(options) => return demo::run(&project, &options),
        Command::Hosts(change) => demo::change(&project, &change)?,
        Command::Test(only) => return checks::run(&project, &only),
        Command::Dist => dist::run(&project)?,
        Command::Bench(options) => bench::run(&project, &options)?,
        Command::Fuzz(arguments) => return fuzz::run(&project, "fuzz", &arguments),
        Command::Tokens(arguments) => return fuzz::run(&project, "token-search", &arguments),
        Command::Scenario(arguments) => return scenario::run(&project, &arguments),
        Command::Differential(arguments) => return differential::run(&project, &arguments),
    }
    Ok(ExitCode::SUCCESS)
}
