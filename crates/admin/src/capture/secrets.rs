//! The values that are secrets by the name or the field that they have.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{
    envoy_fields::is_plain,
    redacted::REDACTED,
    secret_names::SecretNames,
    walk::{in_text, snake_case},
};

/// Fields whose texts are secrets, whatever the names in them: the content of files, such as keys and the code
/// of scripts; `details` of an `error_state`, which quote configurations.
const TEXTS: [&str; 4] = ["details", "inline_bytes", "inline_code", "inline_string"];

/// Fields with maps whose keys and values people choose.
const MAPS: [&str; 4] = [
    "default_subset",
    "filter_metadata",
    "subset_chain",
    "typed_filter_metadata",
];

/// Fields with runtime values.
const RUNTIME: [&str; 2] = ["entries", "static_layer"];

/// The names in pairs of name and value, and the values.
const PAIR_NAMES: [&str; 4] = ["header_name", "key", "name", "tag"];
const PAIR_VALUES: [&str; 4] = ["default_value", "literal", "raw_value", "value"];

/// Ends of the names of fields with a URI. `type_url` has no query.
const URIS: [&str; 3] = ["endpoint", "uri", "url"];

/// What a part of a capture contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Messages of Envoy: texts below secret names.
    Message,
    /// Maps of people: every text and number below a secret name.
    Map,
    /// Runtime keys. Those of a cluster contain its name, so that numbers and fractions stay.
    Runtime,
}

/// Replaces secrets. Equal ones have equal replacements, so that subsets keep their hosts.
#[derive(Debug, Default)]
pub(super) struct SecretValues {
    names: SecretNames,
    replaced: HashMap<String, usize>,
}

impl SecretValues {
    /// Replaces the secrets below a value.
    pub(super) fn redact(&mut self, value: &mut Value) {
        self.visit(value, Content::Message);
    }

    fn visit(&mut self, value: &mut Value, content: Content) {
        match value {
            Value::Object(fields) => self.object(fields, content),
            Value::Array(items) => {
                for item in items {
                    self.visit(item, content);
                }
            }
            Value::String(text) => in_text(text, |inner| self.visit(inner, content)),
            _ => {}
        }
    }

    fn object(&mut self, fields: &mut Map<String, Value>, content: Content) {
        let is_secret = self.has_secret_value(fields);
        let is_any = is_any(fields);
        for (field, value) in fields {
            let name = &*snake_case(field);
            match (name, content) {
                // Names of headers by the names of subset keys.
                ("subset_headers", Content::Message) => {}
                ("http_health_check", Content::Message) => {
                    if let Some(Value::String(path)) = value.get_mut("path") {
                        cut_query(path);
                    }
                    self.visit(value, content);
                }
                _ if is_secret && PAIR_VALUES.contains(&name) => self.replace_all(value, content),
                ("value", _) if is_any && value.is_string() => *value = json!(REDACTED),
                _ if is_content(name, value, content) => *value = json!(REDACTED),
                _ if name.contains("credential") => self.replace_all(value, content),
                _ if MAPS.contains(&name) => self.visit(value, Content::Map),
                _ if RUNTIME.contains(&name) => self.visit(value, Content::Runtime),
                _ if self.is_secret_text(field, value, content) => self.replace_all(value, content),
                _ => {
                    if let (true, Content::Message, Value::String(text)) =
                        (is_uri(name), content, &mut *value)
                    {
                        redact_uri(text);
                    }
                    self.visit(value, content);
                }
            }
        }
    }

    /// Whether an object is a pair of a secret name and a value.
    fn has_secret_value(&mut self, fields: &Map<String, Value>) -> bool {
        let is_value = |field: &String| PAIR_VALUES.contains(&&*snake_case(field));
        if !fields.keys().any(is_value) {
            return false;
        }
        let names = fields
            .iter()
            .filter(|(field, _)| PAIR_NAMES.contains(&&*snake_case(field)));
        let mut names = names.filter_map(|(_, name)| name.as_str());
        names.any(|name| self.names.contains(name))
    }

    /// Whether the whole value of a field is secret. In messages, fields of such names also contain messages.
    fn is_secret_text(&mut self, field: &str, value: &Value, content: Content) -> bool {
        let is_text = match value {
            Value::String(_) => true,
            Value::Array(items) => items.iter().any(Value::is_string),
            _ => false,
        };
        (is_text || content != Content::Message) && self.names.contains(field)
    }

    /// Replaces every text, and every number outside of messages and runtime values.
    fn replace_all(&mut self, value: &mut Value, content: Content) {
        match value {
            Value::Object(fields) => {
                for (field, value) in fields {
                    if field != "@type" {
                        self.replace_all(value, content);
                    }
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.replace_all(item, content);
                }
            }
            Value::String(text) if text.is_empty() => {}
            Value::String(text) if content == Content::Runtime && is_fraction(text) => {}
            Value::String(text) => {
                let text = std::mem::take(text);
                *value = json!(self.replacement(text));
            }
            Value::Number(number) if content == Content::Map => {
                *value = json!(self.replacement(number.to_string()));
            }
            _ => {}
        }
    }

    /// `[redacted]` for the first secret, `[redacted 2]` for the next one.
    fn replacement(&mut self, secret: String) -> String {
        let next = self.replaced.len() + 1;
        match *self.replaced.entry(secret).or_insert(next) {
            1 => REDACTED.to_owned(),
            number => format!("{} {number}]", REDACTED.trim_end_matches(']')),
        }
    }
}

/// Whether a message is one whose type Envoy does not know: its value is in base64.
fn is_any(fields: &Map<String, Value>) -> bool {
    let kind = fields.get("@type").and_then(Value::as_str);
    kind.is_some_and(|kind| kind.ends_with("/google.protobuf.Any"))
}

/// Whether a value is the content of a file.
fn is_content(field: &str, value: &Value, content: Content) -> bool {
    TEXTS.contains(&field) && value.is_string() && content == Content::Message
}

/// Whether a text is a number, or the message of a fraction.
fn is_fraction(text: &str) -> bool {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || "._-+".contains(c)));
    words.all(|word| {
        let names = [
            "",
            "numerator",
            "denominator",
            "HUNDRED",
            "TEN_THOUSAND",
            "MILLION",
        ];
        names.contains(&word) || is_plain(word)
    })
}

fn is_uri(field: &str) -> bool {
    URIS.iter().any(|end| field.ends_with(end))
}

/// Replaces user information and query of a URI.
fn redact_uri(text: &mut String) {
    cut_query(text);
    let Some(start) = text.find("://").map(|colon| colon + 3) else {
        return;
    };
    let rest = text.get(start..).unwrap_or_default();
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if let Some(end) = authority.rfind('@') {
        text.replace_range(start..start + end, REDACTED);
    }
}

/// Replaces what follows a question mark.
fn cut_query(text: &mut String) {
    if let Some(query) = text.find('?') {
        text.truncate(query + 1);
        text.push_str(REDACTED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(mut value: Value) -> Value {
        SecretValues::default().redact(&mut value);
        value
    }

    #[test]
    fn equal_secrets_of_metadata_stay_equal_and_others_differ() {
        let host = |value: Value| json!({"metadata": {"filter_metadata": {"envoy.lb": {"api-key": value, "stage": "x"}}}});
        let value = redacted(json!({
            "hosts": [host(json!("a")), host(json!("b")), host(json!("a")), host(json!(7))],
            "subset_chain": [{"match": {"apiKey": "b", "nested": {"Authorization": ["a"]}}}],
            "default_subset": {"api_key": "b"},
        }));
        let key = |host: usize| {
            value["hosts"][host]["metadata"]["filter_metadata"]["envoy.lb"]["api-key"].clone()
        };
        assert_eq!((key(0), key(1)), (json!(REDACTED), json!("[redacted 2]")));
        assert_eq!((key(2), key(3)), (json!(REDACTED), json!("[redacted 3]")));
        let step = &value["subset_chain"][0]["match"];
        assert_eq!(step["apiKey"], "[redacted 2]");
        assert_eq!(step["nested"]["Authorization"][0], REDACTED);
        assert_eq!(value["default_subset"]["api_key"], "[redacted 2]");
    }

    #[test]
    fn runtime_values_stay_if_they_are_numbers_or_fractions() {
        let entry = |text: &str| json!({"final_value": text, "layer_values": [text, ""]});
        let value = redacted(json!({
            "layers": ["static"],
            "entries": {"x.token": entry("abc"), "upstream.maintenance_mode.token-server": entry("100"),
                "a.secret": entry("numerator: 5\ndenominator: HUNDRED\n")},
            "static_layer": {"x": {"token": "abc"}, "y.password": {"numerator": 1, "denominator": "MILLION"}},
        }));
        let entries = &value["entries"];
        assert_eq!(
            entries["x.token"],
            json!({"final_value": REDACTED, "layer_values": [REDACTED, ""]})
        );
        assert_eq!(
            entries["upstream.maintenance_mode.token-server"],
            entry("100")
        );
        assert_eq!(
            entries["a.secret"]["final_value"],
            "numerator: 5\ndenominator: HUNDRED\n"
        );
        let layer = &value["static_layer"];
        assert_eq!(layer["x"]["token"], REDACTED);
        assert_eq!(layer["y.password"]["denominator"], "MILLION");
    }

    #[test]
    fn pairs_and_fields_of_messages_are_replaced() {
        let value = redacted(json!({
            "a": {"key": "x_api_key", "value": "v"},
            "b": {"name": "X-Auth", "value": "v", "exact": "kept"},
            "c": {"tag": "authorization", "literal": {"value": "v"}},
            "cookie": {"name": "kept"},
            "sessionToken": "v",
            "max_tokens": 5,
            "subset_headers": {"api-key": "x-api-key"},
            "token": {"match": "kept"},
        }));
        let text = value.to_string();
        assert!(!text.contains("\"v\""), "{text}");
        assert_eq!(text.matches("kept").count(), 3, "{text}");
        assert_eq!(value["max_tokens"], 5);
        assert_eq!(value["subset_headers"]["api-key"], "x-api-key");
    }

    #[test]
    fn credentials_of_schemas_are_replaced() {
        let value = redacted(json!({
            "google_grpc": {"target_uri": "host:1", "call_credentials": [
                {"google_refresh_token": "SECRET"},
                {"service_account_jwt_access": {"json_key": "SECRET", "token_lifetime_seconds": 9}},
                {"google_iam": {"authorization_token": "SECRET", "authority_selector": "SECRET"}},
                {"from_plugin": {"name": "x", "typed_config": {"@type": "kept", "text": "SECRET"}}}]},
            "inline_code": "local a = 'SECRET'",
            "unknown": {"@type": "type.googleapis.com/google.protobuf.Any", "value": "SECRET"},
            "http_uri": {"uri": "https://user:SECRET@host:1/path?api_key=SECRET"},
            "server_uri": {"uri": "http://host/path"},
            "http_health_check": {"path": "/ready?key=SECRET"},
        }));
        let text = value.to_string();
        assert!(!text.contains("SECRET"), "{text}");
        assert!(text.contains("\"@type\":\"kept\""), "{text}");
        assert_eq!(
            value["http_uri"]["uri"],
            "https://[redacted]@host:1/path?[redacted]"
        );
        assert_eq!(value["server_uri"]["uri"], "http://host/path");
        assert_eq!(value["google_grpc"]["target_uri"], "host:1");
    }
}
