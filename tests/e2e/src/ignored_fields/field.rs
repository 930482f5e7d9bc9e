//! The fields, from `tests/e2e/ignored_fields/ignored-fields.json`.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

/// A field that is ignored, and a value for it.
#[derive(Debug, Clone)]
pub(super) struct IgnoredField {
    message: String,
    name: String,
    /// The places of its message: keys with `/` before them, `*` for all elements of a list.
    at: String,
    value: Value,
}

/// Every field that can be set.
///
/// `text` replaces placeholders in the file.
pub(super) fn settable(text: impl Fn(&str) -> String) -> Result<Vec<IgnoredField>> {
    let messages: Value = serde_json::from_str(&text(&read("ignored-fields.json")?))?;
    let messages = messages.as_object().context("no messages")?;
    let mut fields = Vec::new();
    for (message, classes) in messages {
        let Some(values) = classes["set"].as_object() else {
            continue;
        };
        let at = classes["at"]
            .as_str()
            .with_context(|| format!("{message} has no place"))?;
        fields.extend(values.iter().map(|(name, value)| IgnoredField {
            message: message.clone(),
            name: name.clone(),
            at: at.into(),
            value: value.clone(),
        }));
    }
    Ok(fields)
}

/// A file of `tests/e2e/ignored_fields`.
pub(super) fn read(name: &str) -> Result<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ignored_fields");
    fs::read_to_string(folder.join(name)).with_context(|| name.to_owned())
}

impl IgnoredField {
    /// Its full name.
    pub(super) fn full_name(&self) -> String {
        format!("{}.{}", self.message, self.name)
    }

    /// Sets it in every message of its type.
    pub(super) fn set(&self, configuration: &mut Value) -> Result<()> {
        let keys: Vec<&str> = self.at.split('/').skip(1).collect();
        let places = set_below(configuration, &keys, &self.name, &self.value);
        ensure!(places > 0, "{} has no place", self.full_name());
        Ok(())
    }
}

fn set_below(place: &mut Value, keys: &[&str], name: &str, value: &Value) -> usize {
    let Some((key, rest)) = keys.split_first() else {
        let Some(message) = place.as_object_mut() else {
            return 0;
        };
        message.insert(name.into(), value.clone());
        return 1;
    };
    match place {
        Value::Array(elements) if *key == "*" => elements
            .iter_mut()
            .map(|element| set_below(element, rest, name, value))
            .sum(),
        Value::Array(elements) => {
            let index = key.parse().ok();
            let element = index.and_then(|index: usize| elements.get_mut(index));
            element.map_or(0, |element| set_below(element, rest, name, value))
        }
        Value::Object(entries) => {
            let entry = entries.get_mut(*key);
            entry.map_or(0, |entry| set_below(entry, rest, name, value))
        }
        _ => 0,
    }
}
