//! A lossless editor of YAML and JSON texts: comments, order, quotes and anchors stay.
//!
//! Each change is a splice of the text. The result is read again, and must have exactly the changed
//! values; otherwise the change is an error.

#![allow(
    clippy::result_large_err,
    reason = "texts are changed a few times, and fail at most once"
)]

mod change;
mod print;
mod span;
mod splice;
mod text;
mod tree;

pub use change::{EditChange, EditStep, show_path};
pub use print::yaml_document;
pub use text::EditText;
