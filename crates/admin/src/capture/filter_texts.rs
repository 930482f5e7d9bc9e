//! The texts of the filter's configuration that are no secrets.
//!
//! The JSON Schema lists all fields. Texts of a fixed form, such as durations and header names, stay, and so
//! do the names in [`HARMLESS`]. A new field is redacted until it is in this list.

use serde_json::{Map, Value, json};

use super::{
    envoy_fields::{is_plain, keep_known},
    redacted::REDACTED,
    walk::snake_case,
};

/// Fields with any text that stay: names, and the values of metadata. Message and field.
const HARMLESS: [(&str, &str); 14] = [
    ("affinity", "keys_from_env"),
    ("affinity", "scope"),
    ("affinity_cookie", "name"),
    ("affinity_cookie", "path"),
    ("chain_step", "keys"),
    ("chain_step", "match"),
    ("criterion", "key"),
    ("criterion", "value"),
    ("filter", "target"),
    ("health", "cluster"),
    ("poll", "cluster"),
    ("poll", "targets"),
    ("target_rule", "cluster"),
    ("weighted_cluster", "cluster"),
];

/// Messages of Envoy in the configuration.
const ENVOYS: [&str; 4] = ["cluster", "metadata", "route_hash_policy", "route_match"];

/// The schema of the filter's configuration.
pub(super) struct FilterTexts {
    definitions: Value,
}

impl FilterTexts {
    /// The schema of this version.
    pub(super) fn new() -> Self {
        // Its test reads the schema. Without one, no text stays.
        let schema = serde_json::from_str(&spillgate_config::filter::json_schema());
        let mut schema: Value = schema.unwrap_or(Value::Null);
        let definitions = schema.get_mut("$defs").map(Value::take);
        Self {
            definitions: definitions.unwrap_or_default(),
        }
    }

    /// Redacts a configuration of the filter, of its poller or of the module's policy, in place. Returns
    /// `false` for any other one.
    pub(super) fn reduce(&self, fields: &mut Map<String, Value>) -> bool {
        let has = |name| fields.contains_key(name);
        let is_filter = has("target") || has("targets") || has("weighted");
        if is_filter && (has("clusters") || has("output")) {
            self.message("filter", fields);
        } else if has("poll") {
            self.message("poller", fields);
        } else if has("undecided") && fields.len() == 1 {
            return fields
                .values()
                .all(|value| matches!(value.as_str(), Some("refuse" | "choose")));
        } else {
            return false;
        }
        true
    }

    fn message(&self, name: &str, fields: &mut Map<String, Value>) {
        for (field, value) in fields {
            let field = &*snake_case(field);
            let known = self
                .definitions
                .get(name)
                .and_then(|message| message.get("properties")?.get(field));
            match known {
                Some(schema) => self.value((name, field), schema, value),
                None => *value = json!(REDACTED),
            }
        }
    }

    fn value(&self, place: (&str, &str), schema: &Value, value: &mut Value) {
        if HARMLESS.contains(&place) {
            return;
        }
        let schema = schema.get("items").unwrap_or(schema);
        let named = definition(schema);
        match value {
            Value::Array(items) => {
                items
                    .iter_mut()
                    .for_each(|item| self.value(place, schema, item));
            }
            Value::Object(fields) => match (named, schema.get("additionalProperties")) {
                (Some(name), _) if ENVOYS.contains(&name) => keep_known(value),
                (Some(name), _) => self.message(name, fields),
                (None, Some(each @ Value::Object(_))) => {
                    let values = fields.values_mut();
                    values.for_each(|value| self.value(place, each, value));
                }
                (None, _) => fields.clear(),
            },
            Value::String(text) if !fits(schema, text) => {
                let least = schema.get("minLength").and_then(Value::as_u64);
                let least = least.and_then(|least| usize::try_from(least).ok());
                *text = format!("{REDACTED:*<0$}", least.unwrap_or_default());
            }
            _ => {}
        }
    }
}

/// The definition to which a schema or one of its alternatives refers.
fn definition(schema: &Value) -> Option<&str> {
    let mut schemas = std::iter::once(schema).chain(alternatives(schema));
    let name = schemas.find_map(|schema| schema.get("$ref")?.as_str())?;
    name.strip_prefix("#/$defs/")
}

fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    let alternatives = schema.get("oneOf").and_then(Value::as_array);
    alternatives.into_iter().flatten()
}

/// Whether a text has a form in which it is no secret.
fn fits(schema: &Value, text: &str) -> bool {
    let names = schema.get("enum").and_then(Value::as_array);
    let constants = alternatives(schema).filter_map(|schema| schema.get("const"));
    let mut names = names.into_iter().flatten().chain(constants);
    let is_name = names.any(|name| {
        name.as_str()
            .is_some_and(|name| name.eq_ignore_ascii_case(text))
    });
    is_name
        || match definition(schema) {
            Some("header_name") => text.bytes().all(is_token),
            Some("duration" | "seconds") => is_plain(text),
            _ => schema.get("type").is_some_and(|kind| kind != "string") && is_plain(text),
        }
}

/// Whether a header name may have this byte.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+.^_`|~-".contains(&byte)
}
