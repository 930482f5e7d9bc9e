//! The fields that a merge adds to a resource.

use serde_json::{Map, Value};

use super::replaced::replaced_by;

/// The merge that turns `before` into `after`; `None` if they are equal.
///
/// # Errors
/// The path of a field that a merge cannot remove, or of a list that it cannot change.
pub(super) fn difference(before: &Value, after: &Value) -> Result<Option<Value>, String> {
    match (before, after) {
        _ if before == after => Ok(None),
        (Value::Object(before), Value::Object(after)) => of_maps(before, after).map(Some),
        (Value::Array(before), Value::Array(after)) => {
            match after.strip_prefix(before.as_slice()) {
                Some(added) => Ok(Some(added.to_vec().into())),
                None => Err(String::new()),
            }
        }
        // A list or a map in the place of another kind of value is not one of our changes.
        (Value::Object(_) | Value::Array(_), _) | (_, Value::Object(_) | Value::Array(_)) => {
            Err(String::new())
        }
        _ => Ok(Some(after.clone())),
    }
}

fn of_maps(before: &Map<String, Value>, after: &Map<String, Value>) -> Result<Value, String> {
    let is_replaced = |old: &str| after.keys().any(|new| replaced_by(new).contains(&old));
    if let Some(removed) = before
        .keys()
        .find(|key| !after.contains_key(*key) && !is_replaced(key))
    {
        return Err(removed.clone());
    }
    let mut added = Map::new();
    for (key, value) in after {
        let Some(old) = before.get(key) else {
            added.insert(key.clone(), value.clone());
            continue;
        };
        let inner = difference(old, value).map_err(|path| match path.as_str() {
            "" => key.clone(),
            path => format!("{key}.{path}"),
        })?;
        added.extend(inner.map(|inner| (key.clone(), inner)));
    }
    Ok(added.into())
}
