//! `spillgate link`: creates and reads links that open a configuration in the playground.
//!
//! The codec is the playground's own (`spillgate-codec`). A warning lists the settings that a link drops.
//! A link has no host addresses, hash keys and names, except with `--include-addresses` and
//! `--include-names`.

mod args;
mod comparison;
mod decode;
mod encode;
mod encoded_link;

use args::LinkCommand;
pub(crate) use args::{DisclosedArgs, LinkArgs};
pub(crate) use comparison::comparison_link;
pub(crate) use encode::encoded;

use crate::command::Finished;

/// Runs `link encode` or `link decode`.
pub(crate) fn run(args: &LinkArgs) -> Finished {
    match &args.command {
        LinkCommand::Encode(args) => encode::run(args),
        LinkCommand::Decode(args) => decode::run(args),
    }
}
