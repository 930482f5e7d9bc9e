//! `spillgate link`: the page's link for a configuration, and what a link says.
//!
//! The codec is the page's own (`spillgate-codec`). What a link cannot carry is named in a
//! warning; addresses and hash keys of hosts stay at home unless they are asked for.

mod args;
mod decode;
mod encode;

pub(crate) use args::LinkArgs;
use args::LinkCommand;

use crate::command::Finished;

/// Writes or reads a link.
pub(crate) fn run(args: &LinkArgs) -> Finished {
    match &args.command {
        LinkCommand::Encode(args) => encode::run(args),
        LinkCommand::Decode(args) => decode::run(args),
    }
}
