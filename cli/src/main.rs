//! The `spillgate` command: parses the arguments, runs the command and prints its result.

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    match spillgate::Args::try_parse() {
        Ok(args) => spillgate::finish(args.run()),
        Err(error) => spillgate::refuse(&error),
    }
}
