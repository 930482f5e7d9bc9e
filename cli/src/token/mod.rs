//! `spillgate token`: the keys of sessions, and what tokens say.
//!
//! Secrets come from files or the standard input, never from arguments, which every process of a
//! machine can see; nothing but a list of keys that was asked for ever holds one.

mod args;
mod inspect;
mod keygen;
mod keys;
mod mint;
mod rotate;

pub(crate) use args::TokenArgs;
use args::TokenCommand;

use crate::command::Finished;

/// Makes keys or a token, or reads one.
pub(crate) fn run(args: &TokenArgs) -> Finished {
    match &args.command {
        TokenCommand::Keygen(args) => keygen::run(args),
        TokenCommand::Rotate(args) => rotate::run(args),
        TokenCommand::Mint(args) => mint::run(args),
        TokenCommand::Inspect(args) => inspect::run(args),
    }
}
