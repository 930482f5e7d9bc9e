//! The dialog: its fields, the result of reading them, and the choice of a cluster.

mod dialog;
mod fault_steps;
mod footer;
mod outcome;
mod part;
mod progress;
mod reading;
mod report;
mod search;
mod summary;
mod text_field;

pub(crate) use part::{DialogPart, DialogStart};
