//! The import dialog, and the findings in the imported text.

mod dialog;
mod fault_list;
mod fault_steps;
mod findings;
mod footer;
mod outcome;
mod progress;
mod reading;
mod summary;
mod text_field;

pub(super) use dialog::{Import, Opening};
pub(super) use findings::findings;
