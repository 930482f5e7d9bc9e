//! Key files; messages never contain any part of a secret.

use spillgate_config::{
    envoy::Format,
    filter::{KeyFile, read, read_key_file},
};
use spillgate_core::affinity::TokenKey;

const ONE: &str = "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3I=";
const TWO: &str = "VHdvIHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3JldCE=";

fn key_file(text: &str) -> Result<KeyFile, Vec<String>> {
    let variable = |name: &str| (name == "KEYS").then(|| list().into_bytes());
    let file = read_key_file(text, Format::guess("", text), &variable);
    file.map_err(|faults| faults.iter().map(|fault| fault.render("f")).collect())
}

/// Two keys, in JSON.
fn list() -> String {
    format!("[{{\"id\": 7, \"secret\": \"{ONE}\"}}, {{\"id\": 2, \"secret\": \"{TWO}\"}}]")
}

#[test]
fn keys_are_found_in_every_form() {
    let list = list();
    for text in [
        list.clone(),
        format!("{{\"keys\": {list}}}"),
        format!("{{\"clusters\": [], \"affinity\": {{\"keys\": {list}, \"cookie\": {{}}}}}}"),
        "{\"affinity\": {\"keys_from_env\": \"KEYS\", \"cookie\": {}}}".to_owned(),
        format!("- {{id: 7, secret: {ONE}}}\n- id: 2\n  secret: \"{TWO}\"\n"),
        format!("keys:\n- {{id: 7, secret: {ONE}}}\n- {{id: 2, secret: {TWO}}}\n"),
    ] {
        let file = key_file(&text).unwrap();
        let ids: Vec<u8> = file.ring.keys().map(TokenKey::id).collect();
        assert_eq!(ids, [7, 2], "{text}");
        let secrets = file.secrets.iter().map(|key| (key.id, key.secret.as_str()));
        assert_eq!(secrets.collect::<Vec<_>>(), [(7, ONE), (2, TWO)], "{text}");
        assert!(!format!("{file:?}").contains(ONE), "{file:?}");
    }
}

#[test]
fn every_fault_has_its_place() {
    let text =
        "- {id: 1, secret: YQ==}\n- {id: 300, secret: {}}\n- {id: 1, secret: a b}\n- {x: 1}\n- 5\n";
    let faults = key_file(text).unwrap_err();
    let starts = [
        "f:2:8: config/value: keys[1].id: out of range",
        "f:2:21: config/type: keys[1].secret: wrong type",
        "f:4:3: config/missing: keys[3].id: ",
        "f:4:3: config/missing: keys[3].secret: ",
        "f:4:4: config/unknown-field: keys[3].x: ",
        "f:5:3: config/type: keys[4]: ",
    ];
    for start in starts {
        assert!(
            faults.iter().any(|fault| fault.starts_with(start)),
            "{start}: {faults:#?}"
        );
    }
    let empty = key_file("[]").unwrap_err();
    assert!(empty[0].contains("no keys"), "{empty:?}");
    let unset = key_file("affinity: {keys_from_env: OTHER}").unwrap_err();
    let fault = "environment variable OTHER is not set";
    assert!(unset[0].contains(fault), "{unset:?}");
    assert!(key_file("").unwrap_err()[0].contains("config/empty"));
    assert_eq!(key_file("{keys: [").unwrap_err().len(), 1);
}

/// A misspelled secret is almost the secret, and a duplicate one is the secret.
#[test]
fn no_fault_contains_a_secret() {
    for secrets in [
        [format!("\"{ONE}x\""), format!("\"{TWO}\"")],
        [format!("\"{ONE}\""), format!("\"{ONE}\"")],
        [format!("[\"{ONE}\"]"), format!("{{\"{ONE}\": 1}}")],
        ["1234567890123456".into(), "1234567890123456.5".into()],
    ] {
        let keys = secrets.map(|secret| format!("{{\"secret\": {secret}, \"id\": 1}}"));
        let text = format!("{{\"keys\": [{}]}}", keys.join(","));
        let faults = key_file(&text).unwrap_err();
        let config = format!("{{\"clusters\": [], \"target\": \"c\", \"affinity\": {text}}}");
        let of_filter = read(&config).unwrap_err();
        let shown = format!("{faults:?} {of_filter:?}");
        assert!(faults.len() > 1, "{shown}");
        for part in [ONE.get(..8).unwrap(), "1234567890"] {
            assert!(!shown.contains(part), "{shown}");
        }
    }
}
