//! The import dialog.

mod dialog;
mod outcome;
mod summary;
mod text_field;

pub(super) use dialog::{Import, Opening};
