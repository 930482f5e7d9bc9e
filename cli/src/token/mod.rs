//! `spillgate token`: creates and rotates session keys, creates and reads session tokens.
//!
//! Secrets come from files or standard input, never from arguments, which other processes can see.
//! Only `keygen` and `rotate` print secrets.

mod args;
mod inspect;
mod keygen;
mod keys;
mod mint;
mod rotate;

pub(crate) use args::TokenArgs;
use args::TokenCommand;

use crate::command::Finished;
use spillgate_answers::input::Faults;

/// A key list with one new key, for an environment variable of a process that this command starts.
pub(crate) fn fresh_keys() -> Result<String, Faults> {
    Ok(keys::listed(&[keys::fresh(1)?], args::KeyFormat::Json))
}

/// Runs one of the four token commands.
pub(crate) fn run(args: &TokenArgs) -> Finished {
    match &args.command {
        TokenCommand::Keygen(args) => keygen::run(args),
        TokenCommand::Rotate(args) => rotate::run(args),
        TokenCommand::Mint(args) => mint::run(args),
        TokenCommand::Inspect(args) => inspect::run(args),
    }
}
