//! The `spillgate` command.

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    spillgate::finish(spillgate::Args::parse().run())
}
