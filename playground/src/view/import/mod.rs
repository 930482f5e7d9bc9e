//! The import dialog, and the findings in the imported text.

mod dialog;
mod fault_list;
mod findings;
mod outcome;
mod summary;
mod text_field;

pub(super) use dialog::{Import, Opening};
pub(super) use findings::findings;
