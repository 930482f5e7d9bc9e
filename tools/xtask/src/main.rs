//! The project's commands: `cargo xtask demo`, `scenario`, `test`, `dist`, `bench`, `build`,
//! `differential`, `descriptors`, `fuzz`, `tokens`, `reliability`, `deny`,
//! `release`, `where` and `toolchain`.
//!
//! They need only a Rust toolchain: they find or install everything else ([`toolchain`]) and print
//! what they install. No shipped crate depends on this one, and nothing here balances load: the demo
//! and the tests run the built filter.

mod args;
mod behavior;
mod bench;
mod build;
mod checks;
mod demo;
mod deny;
mod descriptors;
mod differential;
mod dist;
mod files;
mod fuzz;
mod help;
mod identity;
mod interrupt;
mod process;
mod project;
mod release;
mod reliability;
mod scenario;
mod text_files;
mod tokens;
mod toolchain;

use std::ffi::OsString;
use std::process::ExitCode;

use args::Invocation;
use toolchain::ToolchainRequest;

fn main() -> ExitCode {
    spillgate_testkit::exit_code(run())
}

fn run() -> anyhow::Result<ExitCode> {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let request = ToolchainRequest::take(&mut arguments)?;
    let command = args::parse(lexopt::Parser::from_args(arguments))?;
    if let Invocation::Help(text) = command {
        print!("{text}");
        return Ok(ExitCode::SUCCESS);
    }
    let project = project::Project::find(request)?;
    match command {
        Invocation::Help(_) => {}
        Invocation::Where(words) => behavior::run(&project, &words)?,
        Invocation::Toolchain => drop(project.toolchain()?),
        Invocation::Build { page: true } => build::everything(&project)?,
        Invocation::Build { page: false } => drop(build::filter(&project)?),
        Invocation::Demo(options) => return demo::run(&project, &options),
        Invocation::Hosts(command) => demo::hosts(&project, &command)?,
        Invocation::Test(only) => return checks::run(&project, &only),
        Invocation::Dist => dist::run(&project)?,
        Invocation::Deny => return deny::run(&project),
        Invocation::Descriptors => descriptors::run(&project)?,
        Invocation::Release(options) => release::run(&project, &options)?,
        Invocation::ReleaseTwice => release::build_twice(&project)?,
        Invocation::CheckCrates => return release::check_crates(&project),
        Invocation::Bench(options) => bench::run(&project, &options)?,
        Invocation::Reliability(options) => reliability::run(&project, &options)?,
        Invocation::Mutants(options) => return reliability::run_mutants(&project, &options),
        Invocation::Fuzz(options) => return fuzz::run(&project, &options),
        Invocation::Tokens(arguments) => return tokens::run(&project, &arguments),
        Invocation::Scenario(arguments) => return scenario::run(&project, &arguments),
        Invocation::Differential(arguments) => return differential::run(&project, &arguments),
    }
    Ok(ExitCode::SUCCESS)
}
