//! `spillgate man`: manual pages, generated from the texts of `--help`.

use spillgate_core::visible::quoted;
mod args;

use clap::Command;
use clap_mangen::Man;
use spillgate_config::{Diagnostic, nearest};

pub(crate) use args::ManArgs;

use crate::command::{Done, Finished};
use spillgate_answers::input::Faults;

/// Prints the page of `command`, or of one of its subcommands.
pub(crate) fn run(args: &ManArgs, mut command: Command) -> Finished {
    // Adds the full names of the commands and the global options.
    command.build();
    for name in &args.command {
        command = inner(&command, name)?;
    }
    let mut page = Vec::new();
    let source = concat!("spillgate ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command).source(source).manual("Spillgate");
    man.render(&mut page).map_err(|error| {
        let fault = Diagnostic::error("man/unwritable", format!("cannot generate page: {error}"));
        Faults::one("man", &fault)
    })?;
    Ok(Done {
        output: String::from_utf8_lossy(&page).into_owned(),
        ..Done::default()
    })
}

/// The subcommand with this name.
fn inner(command: &Command, name: &str) -> Result<Command, Faults> {
    if let Some(found) = command.find_subcommand(name) {
        return Ok(found.clone());
    }
    let names = || command.get_subcommands().map(Command::get_name);
    let fault = Diagnostic::error("man/unknown-command", "unknown command")
        .found(quoted(name))
        .suggest(nearest(name, names()));
    Err(Faults::one("COMMAND", &fault))
}
