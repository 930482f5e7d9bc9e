//! `affinity.keys_from_env`: keys in an environment variable. No message contains any part of them.

use crate::common::builders::{SECRETS, sessions, with};
use serde_json::{Value, json};
use spillgate_config::filter::{FilterConfig, VariableKeys, read, read_native, read_with};
use spillgate_core::affinity::{KeyRing, TokenKey};

const NAME: &str = "SPILLGATE_KEYS";

/// A configuration with these settings instead of `keys`.
fn config(settings: Value) -> String {
    let mut affinity = sessions(settings);
    let keys = affinity["keys"].take();
    let fields = affinity.as_object_mut().unwrap();
    if keys.is_null() || fields.contains_key("keys_from_env") {
        drop(fields.remove("keys"));
    } else {
        drop(fields.insert("keys".to_owned(), keys));
    }
    with("affinity", affinity).to_string()
}

fn from_env() -> String {
    config(json!({"keys_from_env": NAME}))
}

/// Reads the configuration with this value of the variable.
fn read_value(value: impl AsRef<[u8]>) -> Result<FilterConfig, Vec<String>> {
    let value = value.as_ref();
    let read = read_with(&from_env(), &|name| {
        assert_eq!(name, NAME);
        VariableKeys::Text(value.to_vec())
    });
    read.map_err(|faults| {
        let faults = faults.iter();
        faults.map(|fault| format!("{fault} {fault:?}")).collect()
    })
}

fn ids(config: &FilterConfig) -> Vec<u8> {
    let keys = config.affinity.as_ref().unwrap().keys.keys();
    keys.map(TokenKey::id).collect()
}

#[test]
fn the_variable_has_the_list_of_keys() {
    let list = json!([{"id": 2, "secret": SECRETS[0]}, {"id": 1, "secret": SECRETS[1]}]);
    let config = read_value(list.to_string()).unwrap();
    assert_eq!(ids(&config), [2, 1]);
    assert_eq!(config.unknown_keys, None);
    let line = read_value(format!("{list}\n")).unwrap();
    assert_eq!(ids(&line), [2, 1]);
}

#[test]
fn unknown_keys_leave_sessions_out() {
    let config = read_with(&from_env(), &|_| VariableKeys::Unknown).unwrap();
    assert!(config.affinity.is_none());
    assert_eq!(config.unknown_keys.as_deref(), Some(NAME));
    let ring = KeyRing::new([(7, TokenKey::from_base64(7, SECRETS[0]))]).unwrap();
    let config = read_with(&from_env(), &|_| VariableKeys::Keys(Box::new(ring.clone()))).unwrap();
    assert_eq!(ids(&config), [7]);
    // Other faults are found without the keys, too.
    let wrong = self::config(json!({"keys_from_env": NAME, "max_share": 0}));
    let faults = read_with(&wrong, &|_| VariableKeys::Unknown).unwrap_err();
    assert_eq!(faults[0].path, "affinity.max_share");
}

#[test]
fn a_missing_variable_rejects_the_configuration() {
    let faults = read(&from_env()).unwrap_err();
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "config/missing: affinity.keys_from_env: environment variable SPILLGATE_KEYS is not set; \
             expected its name in host_env_keys of every VM with this vm_id"
        ]
    );
}

#[test]
fn the_dynamic_module_reads_the_environment_of_envoy() {
    let faults = read_native(&from_env(), &|_| VariableKeys::NotSetInEnvoy).unwrap_err();
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "config/missing: affinity.keys_from_env: environment variable SPILLGATE_KEYS is not set; \
             expected a value in the environment of Envoy"
        ]
    );
}

#[test]
fn exactly_one_source_of_keys_is_required() {
    let mut both = sessions(json!({"keys_from_env": NAME}));
    let keys = json!([{"id": 1, "secret": SECRETS[0]}]);
    both["keys"] = keys.clone();
    let known = |_: &str| VariableKeys::Text(keys.to_string().into_bytes());
    let text = with("affinity", both).to_string();
    let faults = read_with(&text, &known).unwrap_err();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(
        faults[0].message,
        "keys and keys_from_env are mutually exclusive"
    );
    let mut neither = sessions(json!({}));
    neither.as_object_mut().unwrap().remove("keys");
    let faults = read(&with("affinity", neither).to_string()).unwrap_err();
    assert_eq!(faults[0].message, "no keys");
    for name in ["", "A=B"] {
        let faults = read(&config(json!({"keys_from_env": name}))).unwrap_err();
        assert_eq!(faults[0].message, "not the name of a variable");
    }
}

#[test]
fn no_message_contains_the_value() {
    let secret = SECRETS[0];
    let key = json!({"id": 1, "secret": secret});
    let values = [
        (
            json!([{"id": 1, "secret": format!("A{secret}")}]),
            "keys[0].secret",
        ),
        (json!([{"id": 300, "secret": secret}]), "keys[0].id"),
        (json!([{"id": secret, "secret": secret}]), "keys[0].id"),
        (json!([key, key]), "keys[1]"),
        (json!([key, {"id": 2, "secret": secret}]), "keys[1].secret"),
        (json!([{"id": 1, secret: secret}]), "unknown field"),
        (json!({secret: secret}), "unknown field"),
        (json!([secret]), "keys[0]"),
        (json!([]), "no keys"),
        (json!(secret), SPEC),
        (json!(5), SPEC),
    ]
    .map(|(value, expected)| (value.to_string().into_bytes(), expected));
    let texts = [
        (secret.as_bytes().to_vec(), "not JSON"),
        (
            format!("[{{\"id\": 1, \"secret\": {secret}}}]").into_bytes(),
            "not JSON",
        ),
        (format!("{{\"{secret}\"").into_bytes(), "not JSON"),
        (Vec::new(), SPEC),
        (vec![0xff, 0xfe], "not UTF-8"),
    ];
    for (value, expected) in values.into_iter().chain(texts) {
        let faults = read_value(&value).unwrap_err();
        let text = String::from_utf8_lossy(&value).into_owned();
        assert!(!faults.is_empty(), "{text}");
        for fault in &faults {
            assert!(fault.contains(NAME), "{text}: {fault}");
            for part in secret.as_bytes().windows(5) {
                let part = std::str::from_utf8(part).unwrap();
                assert!(!fault.contains(part), "{text}: {fault}");
            }
        }
        let found = faults.iter().any(|fault| fault.contains(expected));
        assert!(found, "{text}: {expected}: {faults:?}");
    }
}

/// The expected form, in every message.
const SPEC: &str = "a JSON list of {id, secret}";
