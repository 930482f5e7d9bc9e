//! `spillgate link`: creates and reads links that open a configuration in the page.
//!
//! The codec is the page's own (`spillgate-codec`). A warning lists the settings that a link drops.
//! A link has no host addresses, hash keys and names, except with `--include-addresses` and
//! `--include-names`.

mod args;
mod decode;
mod encode;

pub(crate) use args::LinkArgs;
use args::LinkCommand;

use crate::command::Finished;

/// Runs `link encode` or `link decode`.
pub(crate) fn run(args: &LinkArgs) -> Finished {
    match &args.command {
        LinkCommand::Encode(args) => encode::run(args),
        LinkCommand::Decode(args) => decode::run(args),
    }
}
