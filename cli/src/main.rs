//! The `spillgate` command: parses the arguments, runs the command and prints its result.

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    spillgate::finish(spillgate::Args::parse().run())
}
