//! The subsets of a host, by its metadata.

use alloc::{vec, vec::Vec};

use crate::model::{Field, Metadata, SubsetSelector, Value};

/// For each priority: the host indices in ascending order.
pub(crate) type MembersByPriority = Vec<Vec<u32>>;

/// The criteria of a host's subsets for one selector, where each element of a list counts
/// (`list_as_any`). Usually one; none if a key is missing.
///
/// Envoy combines key after key. An empty list drops the previous combinations and the next key
/// starts again, so such a host is in the subset of the remaining keys.
pub(super) fn joined(selector: &SubsetSelector, metadata: &Metadata) -> Vec<Metadata> {
    let mut joined: Vec<Vec<Field>> = Vec::new();
    for key in selector.keys() {
        let Some(value) = metadata.get(key) else {
            return Vec::new();
        };
        let values = match value {
            Value::List(values) => values,
            value => core::slice::from_ref(value),
        };
        let field = |value: &Value| Field {
            key: key.clone(),
            value: value.clone(),
        };
        joined = if joined.is_empty() {
            values.iter().map(|value| vec![field(value)]).collect()
        } else {
            let pairs = joined
                .iter()
                .flat_map(|fields| values.iter().map(move |value| (fields, value)));
            pairs
                .map(|(fields, value)| {
                    let mut fields = fields.clone();
                    fields.push(field(value));
                    fields
                })
                .collect()
        };
    }
    joined
        .into_iter()
        .map(|fields| Metadata::new(fields.into_iter().map(|f| (f.key, f.value))))
        .collect()
}

/// Whether a key of the selector has a list in the metadata of a host.
pub(super) fn has_list(selector: &SubsetSelector, metadata: &Metadata) -> bool {
    let value = |key: &alloc::sync::Arc<str>| metadata.get(key);
    let mut values = selector.keys().iter().map(value);
    values.any(|value| matches!(value, Some(Value::List(_))))
}

/// Whether a host has all of these fields.
pub(crate) fn matches(required: &Metadata, metadata: &Metadata) -> bool {
    let mut fields = required.fields().iter();
    fields.all(|field| metadata.get(&field.key) == Some(&field.value))
}

/// Whether a host has all of these fields, or a list with the value as an element (`list_as_any`).
pub(super) fn matches_elements(required: &Metadata, metadata: &Metadata) -> bool {
    let mut fields = required.fields().iter();
    fields.all(|field| match metadata.get(&field.key) {
        Some(Value::List(values)) => values.contains(&field.value),
        value => value == Some(&field.value),
    })
}
