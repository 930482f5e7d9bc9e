//! Which subsets a host is in, by its metadata.

use alloc::{vec, vec::Vec};

use crate::model::{Field, Metadata, SubsetSelector, Value};

/// By priority: the numbers of hosts in it, ascending.
pub(crate) type MembersByPriority = Vec<Vec<u32>>;

/// The criteria of the subsets that a host is in by one selector, where lists stand for each of
/// their elements (`list_as_any`). Mostly one; none where a key is missing.
///
/// Envoy joins key after key: an empty list drops what was joined before it and the next key
/// begins anew, so such a host lands in the subset of the keys that follow.
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

/// Whether a selector meets a list in a host's metadata.
pub(super) fn has_list(selector: &SubsetSelector, metadata: &Metadata) -> bool {
    let value = |key: &alloc::sync::Arc<str>| metadata.get(key);
    let mut values = selector.keys().iter().map(value);
    values.any(|value| matches!(value, Some(Value::List(_))))
}

/// Whether a host carries all of these fields; with `list_as_any` an element of a list will do.
pub(crate) fn matches(wanted: &Metadata, metadata: &Metadata, list_as_any: bool) -> bool {
    wanted
        .fields()
        .iter()
        .all(|field| match metadata.get(&field.key) {
            Some(Value::List(values)) if list_as_any => values.contains(&field.value),
            value => value == Some(&field.value),
        })
}
