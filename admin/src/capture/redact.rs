//! Removes secrets. Envoy itself redacts those of its own messages in a dump, such as private keys.

use serde_json::{Map, Value, json};

use super::{plugins, redacted::REDACTED, walk::each_object};

/// The environment variable that replaces token keys. Without it, commands report sessions as not opened;
/// `--keys` provides the keys.
const KEYS_VARIABLE: &str = "SPILLGATE_CAPTURED_KEYS";

/// Fields whose texts are secrets.
const FIELDS: [&str; 9] = [
    "access_token",
    "client_secret",
    "details",
    "inline_bytes",
    "inline_string",
    "password",
    "private_key",
    "secret",
    "token",
];

/// Parts of the names of headers and metadata whose values are secrets.
const NAMES: [&str; 7] = [
    "api-key",
    "apikey",
    "authorization",
    "cookie",
    "password",
    "secret",
    "token",
];

/// Replaces the secrets below a value:
/// - in the [configurations of plugins](plugins), all that is not known to be harmless;
/// - token keys of Spillgate filters, in any form of their configuration;
/// - `vm_config.environment_variables.key_values`, where `keys_from_env` finds such keys;
/// - values of headers and metadata whose names contain one of [`NAMES`];
/// - texts in the [`FIELDS`]. An `inline_string` is the content of a file, such as a key or the code of a script;
///   the `details` of an `error_state` quote configurations.
pub(super) fn redact(value: &mut Value) {
    plugins::redact(value);
    each_object(value, &mut |fields| {
        if let Some(Value::Object(affinity)) = fields.get_mut("affinity") {
            replace_keys(affinity);
        }
        if let Some(Value::Object(variables)) = fields.get_mut("environment_variables") {
            variables.remove("key_values");
        }
        let name = fields
            .get("key")
            .and_then(Value::as_str)
            .map(str::to_ascii_lowercase);
        let is_secret = name.is_some_and(|name| NAMES.iter().any(|part| name.contains(part)));
        for (field, value) in fields {
            let listed = FIELDS.contains(&&**field);
            let header = is_secret && matches!(&**field, "value" | "raw_value");
            if (listed || header) && value.is_string() {
                *value = json!(REDACTED);
            }
        }
    });
}

/// Replaces `keys` by a variable, so that the configuration stays valid.
fn replace_keys(affinity: &mut Map<String, Value>) {
    if affinity.contains_key("keys") {
        affinity.remove("keys");
        affinity.insert("keys_from_env".to_owned(), json!(KEYS_VARIABLE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_keys_are_replaced_in_every_form() {
        let config = json!({"target": "shop", "affinity": {"cookie": {}, "keys": [{"id": 1, "secret": "c2VjcmV0"}]}});
        let mut value = json!({
            "struct": {"@type": "type.googleapis.com/google.protobuf.Struct", "value": config},
            "text": {"@type": "type.googleapis.com/google.protobuf.StringValue", "value": config.to_string()},
            "vm_config": {"environment_variables": {"key_values": {"KEYS": "c2VjcmV0"}, "host_env_keys": ["A"]}},
        });
        redact(&mut value);
        let text = value.to_string();
        assert!(!text.contains("c2VjcmV0"), "{text}");
        let affinity = json!({"cookie": {}, "keys_from_env": KEYS_VARIABLE});
        assert_eq!(value["struct"]["value"]["affinity"], affinity);
        let inner: Value = serde_json::from_str(value["text"]["value"].as_str().unwrap()).unwrap();
        assert_eq!(inner, json!({"target": "shop", "affinity": affinity}));
        assert_eq!(
            value["vm_config"]["environment_variables"],
            json!({"host_env_keys": ["A"]})
        );
    }

    #[test]
    fn credentials_in_headers_and_fields_are_replaced_and_other_values_stay() {
        let mut value = json!({
            "request_headers_to_add": [
                {"header": {"key": "Authorization", "value": "Basic x"}},
                {"header": {"key": "x-zone", "value": "a"}},
            ],
            "initial_metadata": [{"key": "x-api-key", "raw_value": "eA=="}],
            "token": {"match": "x"},
            "password": "x",
            "name": "x",
        });
        redact(&mut value);
        let headers = &value["request_headers_to_add"];
        assert_eq!(headers[0]["header"]["value"], REDACTED);
        assert_eq!(headers[1]["header"]["value"], "a");
        assert_eq!(value["initial_metadata"][0]["raw_value"], REDACTED);
        assert_eq!(value["password"], REDACTED);
        assert_eq!(
            (&value["token"]["match"], &value["name"]),
            (&json!("x"), &json!("x"))
        );
    }

    #[test]
    fn texts_without_secrets_keep_their_form() {
        let mut value = json!({"value": "{ \"a\": 1 }", "other": "{not json"});
        let before = value.clone();
        redact(&mut value);
        assert_eq!(value, before);
    }
}
