//! The import dialog.

mod dialog;
mod summary;
mod text_field;

pub(super) use dialog::{Import, Opening};
