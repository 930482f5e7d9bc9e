//! A fresh key.

use super::{
    args::KeygenArgs,
    keys::{fresh, listed},
};
use crate::command::{Done, Finished};

/// Prints a list of one fresh key.
pub(super) fn run(args: &KeygenArgs) -> Finished {
    Ok(Done {
        output: listed(&[fresh(args.id)?], args.format),
        ..Done::default()
    })
}
