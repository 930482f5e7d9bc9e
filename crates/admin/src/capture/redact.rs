//! Removes secrets. Envoy itself redacts those of its own messages in a dump, such as private keys.

use serde_json::{Map, Value, json};

use super::{
    plugins,
    redacted::REDACTED,
    secrets::SecretValues,
    walk::{each_object, snake_case},
};

/// The environment variable that replaces token keys. Without it, commands report sessions as not opened;
/// `--keys` provides the keys.
const KEYS_VARIABLE: &str = "SPILLGATE_CAPTURED_KEYS";

/// The longest text that is a name and no key: 32 bytes have at least 43 letters in base64.
const LONGEST_NAME: usize = 39;

/// Replaces the secrets below a value:
/// - in the [configurations of plugins](plugins), all that is not known to be harmless;
/// - token keys of Spillgate filters, in any form of their configuration;
/// - `vm_config.environment_variables.key_values`, where `keys_from_env` finds such keys;
/// - [values](SecretValues) with the names of secrets, and the fields for credentials.
pub(super) fn redact(value: &mut Value, secrets: &mut SecretValues) {
    plugins::redact(value);
    each_object(value, &mut |fields| {
        for (field, value) in fields {
            match (&*snake_case(field), value) {
                ("affinity", Value::Object(affinity)) => replace_keys(affinity),
                ("environment_variables", Value::Object(variables)) => {
                    variables.retain(|field, _| snake_case(field) != "key_values");
                }
                _ => {}
            }
        }
    });
    secrets.redact(value);
}

/// Replaces `keys` by a variable, so that the configuration stays valid, and a key in the place of a name.
fn replace_keys(affinity: &mut Map<String, Value>) {
    let had_keys = affinity.remove("keys").is_some();
    if had_keys {
        affinity.insert("keys_from_env".to_owned(), json!(KEYS_VARIABLE));
    }
    for (field, value) in affinity {
        let name = value.as_str();
        match &*snake_case(field) {
            "keys_from_env" if !name.is_some_and(is_variable) => *value = json!(KEYS_VARIABLE),
            "scope" if !name.is_some_and(is_scope) => *value = json!(REDACTED),
            _ => {}
        }
    }
}

/// Whether a text has the form in which environment variables are named, and not that of a key.
fn is_variable(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    name.len() <= LONGEST_NAME
        && name.bytes().all(is_part)
        && !name.starts_with(|first: char| first.is_ascii_digit())
}

/// Whether a text has the form of a name, such as that of a host or a service.
fn is_scope(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
    name.len() <= LONGEST_NAME && name.bytes().all(is_part)
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
        redact(&mut value, &mut SecretValues::default());
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
        redact(&mut value, &mut SecretValues::default());
        let headers = &value["request_headers_to_add"];
        assert_eq!(headers[0]["header"]["value"], REDACTED);
        assert_eq!(headers[1]["header"]["value"], "a");
        assert_eq!(value["initial_metadata"][0]["raw_value"], "[redacted 2]");
        assert_eq!(value["password"], "[redacted 3]");
        assert_eq!(
            (&value["token"]["match"], &value["name"]),
            (&json!("x"), &json!("x"))
        );
    }

    #[test]
    fn keys_in_the_place_of_names_are_replaced() {
        const KEY: &str = "BFHZRejXFLD7HCTPcsyGEw0kHZ7L8/6wWZcerkOavhM=";
        for (field, kept) in [
            ("keys_from_env", "SPILLGATE_KEYS"),
            ("scope", "shop.example:80"),
        ] {
            let config =
                |text: &str| json!({"target": "shop", "affinity": {"cookie": {}, field: text}});
            let mut value = config(kept);
            redact(&mut value, &mut SecretValues::default());
            assert_eq!(value, config(kept));
            let camel = |text: &str| json!({"affinity": {"keysFromEnv": text}});
            for key in [
                KEY,
                KEY.trim_end_matches('='),
                &"A".repeat(43),
                &"0F".repeat(32),
            ] {
                let mut value =
                    json!([config(key), {"value": config(key).to_string()}, camel(key)]);
                redact(&mut value, &mut SecretValues::default());
                assert!(!value.to_string().contains(key), "{value}");
            }
        }
    }

    #[test]
    fn texts_without_secrets_keep_their_form() {
        let mut value = json!({"value": "{ \"a\": 1 }", "other": "{not json"});
        let before = value.clone();
        redact(&mut value, &mut SecretValues::default());
        assert_eq!(value, before);
    }
}
