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

use alloc::{collections::BTreeSet, string::String, vec::Vec};

pub(super) use document::DocumentUnread;
pub(super) use fields::counts;
pub(super) use other::{OtherDocument, UnseenDocument};

use super::{outbound::MeshKind, read::MeshDocuments};
use crate::proto::{UnreadField, UnreadValues};

impl MeshDocuments {
    /// What a comparison of these documents with others does not see. The view from a zone is that of a plain proxy;
    /// `is_of_zone` is false for that of one proxy or gateway, which alone is compared.
    #[must_use]
    pub fn unread(&self, is_of_zone: bool) -> UnreadValues {
        let mut values = UnreadValues::default();
        let mut selected: BTreeSet<u64> = BTreeSet::new();
        for other in &self.others {
            other.add_to(&mut values);
            selected.extend(&other.texts);
        }
        for (kind, order) in other::orders(&self.others) {
            let field = UnreadField {
                can_choose: kinds::can_choose(&kind),
                message: kind.into(),
                field: "creationTimestamp".into(),
            };
            values.add_hash(field, order);
        }
        let is_kuma = MeshKind::of(self) == MeshKind::Kuma;
        for unseen in &self.unseen {
            if let Some(texts) = unseen.add_to(&mut values, is_of_zone, is_kuma) {
                selected.extend(texts);
            }
        }
        for document in &self.unread {
            document.add_to(&mut values, &selected);
        }
        values
    }

    /// Keeps only the documents of other kinds, of a text that has none that are read.
    pub fn keep_others(&mut self) {
        let others = core::mem::take(&mut self.others);
        *self = Self {
            others,
            ..Self::default()
        };
    }
}

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
