//! The commands of `spillgate`, in this process.

use std::ffi::OsString;

use anyhow::{Result, anyhow};
use clap::Parser as _;
use spillgate::{Args, Done};

/// Runs a command line; `arguments` start with the name of the command.
///
/// # Errors
/// If the arguments are wrong, or the command rejects its input.
pub fn spillgate<T: Into<OsString>>(arguments: impl IntoIterator<Item = T>) -> Result<Done> {
    let program = [OsString::from("spillgate")];
    let words = program
        .into_iter()
        .chain(arguments.into_iter().map(Into::into));
    let finished = Args::try_parse_from(words)?.run();
    finished.map_err(|faults| anyhow!("{faults}"))
}
