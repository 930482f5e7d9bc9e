//! The dialog: its fields, the result of reading them, and the choice of a cluster.

mod closing;
mod cluster_list;
mod dialog;
mod fault_steps;
mod footer;
mod outcome;
mod progress;
mod reading;
mod report;
mod search;
mod summary;
mod text_field;

pub(super) use dialog::{Dialog, DialogStart};
