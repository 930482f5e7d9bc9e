//! Values as text.

use serde_json::Value;

/// The longest value on one line in block style, in characters.
const SHORT: usize = 72;

/// A value on one line. `json`: with quotes around all names.
pub(super) fn flow(value: &Value, json: bool) -> String {
    let name = |text: &str| {
        if json {
            Value::from(text).to_string()
        } else {
            scalar(text)
        }
    };
    match value {
        Value::Object(map) => {
            let entries = map
                .iter()
                .map(|(key, value)| format!("{}: {}", name(key), flow(value, json)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| flow(item, json));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        Value::String(text) => name(text),
        other => other.to_string(),
    }
}

/// A whole document of YAML.
#[must_use]
pub fn yaml_document(value: &Value) -> String {
    match value {
        Value::Object(map) => format!("{}\n", entries(map, 0)),
        other => format!("{}\n", flow(other, false)),
    }
}

/// JSON on several lines if it is long. The first line has no indentation.
pub(super) fn pretty(value: &Value, indent: usize) -> String {
    let line = flow(value, true);
    let inner = indent + 2;
    let (open, parts, close): (_, Vec<String>, _) = match value {
        _ if line.chars().count() <= SHORT => return line,
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| {
                format!("{}: {}", Value::from(key.as_str()), pretty(value, inner))
            });
            ('{', entries.collect(), '}')
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| pretty(item, inner));
            ('[', items.collect(), ']')
        }
        _ => return line,
    };
    let between = format!(",\n{}", spaces(inner));
    format!(
        "{open}\n{}{}\n{}{close}",
        spaces(inner),
        parts.join(&between),
        spaces(indent)
    )
}

/// `key: value`, without a line break at the end. The first line has no indentation.
pub(super) fn entry(key: &str, value: &Value, indent: usize) -> String {
    let key = scalar(key);
    let line = flow(value, false);
    let inner = indent + 2;
    match value {
        _ if line.chars().count() <= SHORT => format!("{key}: {line}"),
        Value::Object(map) => format!("{key}:\n{}{}", spaces(inner), entries(map, inner)),
        Value::Array(items) => {
            let items = items
                .iter()
                .map(|one| format!("\n{}- {}", spaces(indent), item(one, inner)));
            format!("{key}:{}", items.collect::<String>())
        }
        _ => format!("{key}: {line}"),
    }
}

/// An item of a list after its dash; further lines have this indentation.
pub(super) fn item(value: &Value, indent: usize) -> String {
    let line = flow(value, false);
    match value {
        Value::Object(map) if line.chars().count() > SHORT => entries(map, indent),
        _ => line,
    }
}

fn entries(map: &serde_json::Map<String, Value>, indent: usize) -> String {
    let lines = map.iter().map(|(key, value)| entry(key, value, indent));
    lines
        .collect::<Vec<_>>()
        .join(&format!("\n{}", spaces(indent)))
}

pub(super) fn spaces(count: usize) -> String {
    " ".repeat(count)
}

/// A string as Envoy and other readers of YAML read it as a string.
fn scalar(text: &str) -> String {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let mut chars = text.chars();
    let plain = chars
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && chars.all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.' | '/'))
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    if plain {
        return text.to_owned();
    }
    if text
        .chars()
        .any(|char| char.is_control() || char == '\u{feff}')
        || !text.is_ascii()
    {
        return Value::from(text).to_string();
    }
    if text.contains(['\'', '\\']) {
        format!("'{}'", text.replace('\'', "''"))
    } else {
        format!("\"{}\"", text.replace('"', "\\\""))
    }
}
