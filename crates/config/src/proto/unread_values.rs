//! The values of fields that choose no host, so that two configurations can be compared in them.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use spillgate_core::hash::xxh64;

use crate::node::{Node, to_json};

/// Hashes of the values of unread fields that can change what happens to a request, by message and field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnreadValues {
    by_field: BTreeMap<(&'static str, &'static str), Vec<u64>>,
}

impl UnreadValues {
    /// Adds a value of a field of a message.
    pub(super) fn add(&mut self, field: (&'static str, &'static str), node: &Node<'_>) {
        let value = xxh64(to_json(node).as_bytes(), 0);
        self.by_field.entry(field).or_default().push(value);
    }

    /// The fields whose values differ, wherever they are, as `FIELD of MESSAGE`.
    #[must_use]
    pub fn differing(&self, other: &Self) -> Vec<String> {
        let sorted = |of: &Self, field| {
            let mut values: Vec<u64> = of.by_field.get(field).cloned().unwrap_or_default();
            values.sort_unstable();
            values
        };
        let mut fields: Vec<_> = self.by_field.keys().chain(other.by_field.keys()).collect();
        fields.sort_unstable();
        fields.dedup();
        fields.retain(|field| sorted(self, field) != sorted(other, field));
        let names = fields
            .into_iter()
            .map(|(message, field)| format!("{field} of {message}"));
        names.collect()
    }
}
