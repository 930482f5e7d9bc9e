//! One tree for JSON and YAML, with a position on every value and key.
//!
//! Texts are borrowed where nothing had to be unescaped. Numbers with a fraction stay text until
//! somebody asks for a float. The readers are total: any text gives a tree or a diagnostic, and
//! size, depth and the expansion of YAML aliases are bounded.
#![allow(
    clippy::result_large_err,
    reason = "a fault ends the reading of its text, so there is at most one"
)]

mod json;
mod limits;
mod print;
mod tree;
#[cfg(feature = "yaml")]
mod yaml;

pub use json::read as read_json;
pub(crate) use limits::check_size;
pub use limits::{MAXIMUM_ALIAS_VALUES, MAXIMUM_BYTES, MAXIMUM_DEPTH, MAXIMUM_VALUES, decode};
pub use print::to_json;
pub(crate) use print::write;
pub use spillgate_core::json::Writer;
pub(crate) use tree::quote;
pub use tree::{Document, Entry, Key, Node, NodeValue};
#[cfg(feature = "yaml")]
pub use yaml::{Scalars, read as read_yaml};
