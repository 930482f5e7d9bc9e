//! Merges of resources, as messages merge: maps by field, lists one after the other.

use serde_json::Value;

use super::replaced::replaced_by;

/// Merges a patch into a resource.
pub(super) fn merge(resource: &mut Value, patch: &Value) {
    match (resource, patch) {
        (Value::Object(fields), Value::Object(patch)) => {
            for (key, value) in patch {
                for old in replaced_by(key) {
                    fields.shift_remove(*old);
                }
                match fields.get_mut(key) {
                    Some(own) => merge(own, value),
                    None => {
                        fields.insert(key.clone(), value.clone());
                    }
                }
            }
        }
        (Value::Array(items), Value::Array(more)) => items.extend(more.iter().cloned()),
        (resource, patch) => *resource = patch.clone(),
    }
}
