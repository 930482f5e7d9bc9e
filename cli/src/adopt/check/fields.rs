//! Fields of configurations, in both spellings of their names.

use serde_json::{Map, Value};

/// How the name of a field is written: in snake case or in camel case.
fn key(map: &Map<String, Value>, name: &str) -> Option<String> {
    let letters = |text: &str| text.replace('_', "").to_ascii_lowercase();
    let wanted = letters(name);
    let found = map.keys().find(|key| letters(key) == wanted);
    found.cloned()
}

/// A field.
pub(super) fn get<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let map = value.as_object()?;
    map.get(&key(map, name)?)
}

/// A field at a path of names.
pub(super) fn at<'v>(value: &'v Value, names: &[&str]) -> Option<&'v Value> {
    names.iter().try_fold(value, |value, name| get(value, name))
}

/// A field that changes.
pub(super) fn get_mut<'v>(value: &'v mut Value, name: &str) -> Option<&'v mut Value> {
    let map = value.as_object_mut()?;
    let key = key(map, name)?;
    map.get_mut(&key)
}

/// The text of a field.
pub(super) fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    get(value, name)?.as_str()
}

/// The items of a field that is a list.
pub(super) fn items<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    let list = get(value, name).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

/// The items of a field that is a list, to change them.
pub(super) fn items_mut<'v>(value: &'v mut Value, name: &str) -> &'v mut [Value] {
    let list = get_mut(value, name).and_then(Value::as_array_mut);
    list.map_or(&mut [], Vec::as_mut_slice)
}

/// Sets a field, in the spelling that it has.
pub(super) fn set(value: &mut Value, name: &str, new: Value) {
    if let Some(map) = value.as_object_mut() {
        let key = key(map, name).unwrap_or_else(|| name.to_owned());
        map.insert(key, new);
    }
}

/// Removes a field; whether there was one.
pub(super) fn remove(value: &mut Value, name: &str) -> bool {
    let Some(map) = value.as_object_mut() else {
        return false;
    };
    key(map, name).is_some_and(|key| map.shift_remove(&key).is_some())
}

/// Removes a field wherever it is; whether there was one.
pub(super) fn remove_everywhere(value: &mut Value, name: &str) -> bool {
    let mut found = remove(value, name);
    match value {
        Value::Object(map) => {
            for inner in map.values_mut() {
                found |= remove_everywhere(inner, name);
            }
        }
        Value::Array(items) => {
            for inner in items {
                found |= remove_everywhere(inner, name);
            }
        }
        _ => {}
    }
    found
}

/// The full type of an extension, such as `envoy.extensions.filters.http.wasm.v3.Wasm`.
pub(super) fn type_of(extension: &Value) -> &str {
    let url = at(extension, &["typed_config", "@type"])
        .and_then(Value::as_str)
        .unwrap_or_default();
    url.rsplit('/').next().unwrap_or_default()
}
