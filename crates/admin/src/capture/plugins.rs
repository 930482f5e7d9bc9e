//! The configurations of plugins: Wasm modules and dynamic modules.
//!
//! Any text in them can be a secret. Only the texts of Spillgate's own configuration that are known to be
//! harmless stay, and nothing of other plugins.

use serde_json::{Map, Value, json};

use super::{
    filter_texts::FilterTexts,
    redacted::REDACTED,
    walk::{in_text, snake_case},
};

/// What the name of Spillgate's dynamic module begins with.
const MODULE: &str = "spillgate";

/// Removes what can be a secret from every plugin configuration below a value, in any form: text, `Struct`,
/// `TypedStruct`, and messages in them.
pub(super) fn redact(value: &mut Value) {
    visit(value, &FilterTexts::new());
}

fn visit(value: &mut Value, texts: &FilterTexts) {
    match value {
        Value::Object(fields) => {
            let module = module(fields);
            for (field, value) in fields {
                match (&*snake_case(field), module) {
                    ("configuration", _) => configuration(value, texts),
                    // The name of a cluster.
                    ("specifier_config", Some(true)) if is_text(value) => {}
                    ("dynamic_module_config", _) => visit(value, texts),
                    (name, Some(_)) if name.ends_with("_config") => configuration(value, texts),
                    _ => visit(value, texts),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| visit(item, texts)),
        Value::String(text) => in_text(text, |inner| visit(inner, texts)),
        _ => {}
    }
}

/// Whether an extension of a dynamic module is one of Spillgate's; `None` for other messages.
fn module(fields: &Map<String, Value>) -> Option<bool> {
    let mut fields = fields.iter();
    let (_, module) = fields.find(|(field, _)| snake_case(field) == "dynamic_module_config")?;
    let name = module.get("name").and_then(Value::as_str);
    Some(name.is_some_and(|name| name.starts_with(MODULE)))
}

/// Whether a configuration is a `StringValue` without JSON.
fn is_text(configuration: &Value) -> bool {
    let kind = configuration.get("@type").and_then(Value::as_str);
    let value = configuration.get("value").and_then(Value::as_str);
    let is_name = value.is_some_and(|text| !text.trim_start().starts_with(['{', '[']));
    is_name && kind.is_some_and(|kind| kind.ends_with("/google.protobuf.StringValue"))
}

/// The message of a configuration, or the configuration itself.
fn configuration(value: &mut Value, texts: &FilterTexts) {
    match value {
        Value::Object(fields) => {
            if texts.reduce(fields) {
                return;
            }
            fields.retain(|field, _| matches!(&**field, "@type" | "type_url" | "value"));
            for (field, value) in fields {
                match (&**field, &mut *value) {
                    ("value", _) => configuration(value, texts),
                    (_, Value::String(url)) if is_type(url) => {}
                    _ => *value = json!(REDACTED),
                }
            }
        }
        Value::String(text) => match serde_json::from_str(text) {
            Ok(mut inner @ Value::Object(_)) => {
                configuration(&mut inner, texts);
                *text = inner.to_string();
            }
            // Not the filter's, which is JSON; or in base64.
            _ => REDACTED.clone_into(text),
        },
        Value::Array(items) => items.clear(),
        _ => {}
    }
}

/// Whether a text can only be the URL of a type.
fn is_type(text: &str) -> bool {
    text.starts_with("type.googleapis.com/") && text.bytes().all(|byte| byte.is_ascii_graphic())
}
