//! `spillgate completions`: what a shell needs to complete the command.

mod args;

use clap::CommandFactory as _;

pub(crate) use args::CompletionsArgs;

use crate::{args::Args, command::Done, run::Finished};

/// Prints the completions for a shell.
pub(crate) fn run(args: &CompletionsArgs) -> Finished {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "spillgate", &mut script);
    Ok(Done {
        output: String::from_utf8_lossy(&script).into_owned(),
        ..Done::default()
    })
}
