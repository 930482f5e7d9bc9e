//! `spillgate token keygen`: a key list with one new random key.

use super::{
    args::KeygenArgs,
    keys::{fresh, listed},
};
use crate::command::{Done, Finished};

/// Prints a key list with one new key.
pub(super) fn run(args: &KeygenArgs) -> Finished {
    Ok(Done {
        output: listed(&[fresh(args.id)?], args.format),
        ..Done::default()
    })
}
