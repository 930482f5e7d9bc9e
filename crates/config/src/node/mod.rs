//! One tree for JSON and YAML, with positions of all values and keys.
//!
//! Strings are borrowed if they have no escapes. Numbers with a fraction stay text until a float is
//! read. The readers are total: every text gives a tree or a diagnostic; size, depth and the
//! expansion of YAML aliases are limited.
//!
//! No library provides positions in JSON without std; a property test compares the reader with
//! `serde_json`. YAML comes as events from `saphyr-parser`, and scalars follow Envoy's rules, which
//! no library implements (`no` is a boolean, `017` is 15, `1.5` is a string).
#![allow(
    clippy::result_large_err,
    reason = "a fault ends the reading of its text, so there is at most one"
)]

#[cfg(feature = "unread")]
mod canonical_hash;
mod json;
mod limits;
mod print;
#[cfg(feature = "textproto")]
mod textproto;
mod tree;
#[cfg(feature = "yaml")]
mod yaml;

#[cfg(feature = "unread")]
pub use canonical_hash::{canonical_hash, canonical_hash_of};
pub use json::read as read_json;
#[cfg(feature = "yaml")]
pub use json::read_lenient as read_lenient_json;
pub use limits::{
    MAXIMUM_ALIAS_VALUES, MAXIMUM_BYTES, MAXIMUM_DEPTH, MAXIMUM_VALUES, check_total_size, decode,
};
pub(crate) use limits::{check_size, count_lines};
pub use print::to_json;
pub(crate) use print::write;
pub use spillgate_core::json::Writer;
#[cfg(feature = "textproto")]
pub use textproto::{is_likely as is_likely_textproto, read as read_textproto};
pub use tree::quote;
pub use tree::{Document, Entry, Key, Node, NodeValue};
#[cfg(feature = "yaml")]
pub use yaml::{Scalars, read as read_yaml};
