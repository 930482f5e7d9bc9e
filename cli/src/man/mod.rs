//! `spillgate man`: the manual, made of the same texts as `--help`.

mod args;

use clap::Command;
use clap_mangen::Man;
use spillgate_config::{Diagnostic, nearest};

pub(crate) use args::ManArgs;

use crate::{
    command::{Done, Finished},
    input::Faults,
};

/// Prints the page of `command`, or of one of its subcommands.
pub(crate) fn run(args: &ManArgs, mut command: Command) -> Finished {
    // Names of commands with their parents in front, and arguments that all commands share.
    command.build();
    for name in &args.command {
        command = inner(&command, name)?;
    }
    let mut page = Vec::new();
    let source = concat!("spillgate ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command).source(source).manual("Spillgate");
    man.render(&mut page).map_err(|error| {
        let fault = Diagnostic::error("man/unwritable", error.to_string());
        Faults::one("man", &fault)
    })?;
    Ok(Done {
        output: String::from_utf8_lossy(&page).into_owned(),
        ..Done::default()
    })
}

fn inner(command: &Command, name: &str) -> Result<Command, Faults> {
    if let Some(found) = command.find_subcommand(name) {
        return Ok(found.clone());
    }
    let names = || command.get_subcommands().map(Command::get_name);
    let fault = Diagnostic::error("man/unknown-command", "there is no such command")
        .found(format!("{name:?}"))
        .suggest(nearest(name, names()));
    Err(Faults::one("COMMAND", &fault))
}
