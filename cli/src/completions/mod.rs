//! `spillgate completions`: completion scripts for shells.

mod args;

use clap::Command;

pub(crate) use args::CompletionsArgs;

use crate::command::{Done, Finished};

/// Prints the completions of `command` for a shell.
pub(crate) fn run(args: &CompletionsArgs, mut command: Command) -> Finished {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "spillgate", &mut script);
    Ok(Done {
        output: String::from_utf8_lossy(&script).into_owned(),
        ..Done::default()
    })
}
