//! Visits JSON values.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// Applies `change` to every object, outer ones first. A text that contains a JSON object, such as the
/// configuration of a plugin, counts as this object.
pub(super) fn each_object(value: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(fields) => {
            change(fields);
            fields
                .values_mut()
                .for_each(|value| each_object(value, change));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_object(item, change)),
        Value::String(text) => in_text(text, |inner| each_object(inner, change)),
        _ => {}
    }
}

/// Applies `change` to the JSON object in a text, if it has one.
pub(super) fn in_text(text: &mut String, change: impl FnOnce(&mut Value)) {
    if !text.trim_start().starts_with('{') {
        return;
    }
    let Ok(mut inner) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let before = inner.clone();
    change(&mut inner);
    // An unchanged text keeps its form.
    if inner != before {
        *text = inner.to_string();
    }
}

/// The name of a field as Envoy writes it; people can also write it in camelCase.
pub(super) fn snake_case(field: &str) -> Cow<'_, str> {
    if !field.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Cow::Borrowed(field);
    }
    let mut name = String::with_capacity(field.len() + 4);
    for letter in field.chars() {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    Cow::Owned(name)
}
