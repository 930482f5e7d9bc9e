//! The values of fields that choose no host, so that two configurations can be compared in them.

use alloc::{collections::BTreeMap, vec::Vec};
use core::fmt;

use spillgate_core::hash::xxh64;

use crate::node::{Node, to_json};

/// Hashes of the values of unread fields that can change what happens to a request, by message and field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnreadValues {
    by_field: BTreeMap<UnreadField, Vec<u64>>,
}

/// A field that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnreadField {
    /// The name of its message.
    pub message: &'static str,
    /// Its name.
    pub field: &'static str,
}

impl fmt::Display for UnreadField {
    /// `FIELD of MESSAGE`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.field, self.message)
    }
}

impl UnreadValues {
    /// Adds a value of a field of a message.
    pub(super) fn add(&mut self, field: UnreadField, node: &Node<'_>) {
        let value = xxh64(to_json(node).as_bytes(), 0);
        self.by_field.entry(field).or_default().push(value);
    }

    /// The fields whose values differ, wherever they are.
    #[must_use]
    pub fn differing(&self, other: &Self) -> Vec<UnreadField> {
        let sorted = |of: &Self, field: &UnreadField| {
            let mut values: Vec<u64> = of.by_field.get(field).cloned().unwrap_or_default();
            values.sort_unstable();
            values
        };
        let fields = self.by_field.keys().chain(other.by_field.keys());
        let mut fields: Vec<UnreadField> = fields.copied().collect();
        fields.sort_unstable();
        fields.dedup();
        fields.retain(|field| sorted(self, field) != sorted(other, field));
        fields
    }
}
