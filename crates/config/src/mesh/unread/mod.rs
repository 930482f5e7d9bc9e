//! What the comparison of two meshes does not see in their documents, as hashes: fields that are not read, and whole
//! documents of other kinds.
//!
//! Everything counts unless it is compared, or provably changes no request: the lists of both are in `kinds`, `fields`
//! and `labels`.

mod audience;
mod document;
mod fields;
mod identity;
mod kinds;
mod labels;
mod other;
mod places;

use alloc::{string::String, vec::Vec};

pub(super) use document::DocumentUnread;
pub(super) use fields::counts;
pub(super) use kinds::can_choose;
pub(super) use other::{OtherDocument, UnseenDocument, orders};

/// A field of a document.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct UnreadHash {
    field: String,
    /// Of its value and its place.
    hash: u64,
    can_choose: bool,
}

/// A hash of several hashes, in order.
fn combined(parts: &[u64]) -> u64 {
    let bytes: Vec<[u8; 8]> = parts.iter().map(|part| part.to_le_bytes()).collect();
    let bytes: Vec<&[u8]> = bytes.iter().map(<[u8; 8]>::as_slice).collect();
    spillgate_core::hash::xxh64_parts(&bytes)
}

/// A hash of a text.
fn hash_of(text: &str) -> u64 {
    spillgate_core::hash::xxh64(text.as_bytes(), 0)
}

/// A string in a field.
fn text_of<'n>(node: &'n crate::node::Node<'_>, field: &str) -> Option<&'n str> {
    match &node.get(field)?.value {
        crate::node::NodeValue::String(text) => Some(text),
        _ => None,
    }
}
