//! The files in `envoy-config/`, and the filter configurations in them.

use std::{fs, path::PathBuf};

use serde_json::{Map, Value, json};
use spillgate_config::node::{self, Node, Scalars};
use spillgate_testkit::repository;

/// A YAML or JSON file.
pub(crate) struct ShippedFile {
    pub(crate) path: PathBuf,
    /// Its documents.
    pub(crate) roots: Vec<Value>,
}

/// All YAML and JSON files in `envoy-config/`.
pub(crate) fn shipped_files() -> Vec<ShippedFile> {
    let configurations = repository().join("envoy-config");
    let mut folders = vec![configurations];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = with_keys(&fs::read_to_string(&path).unwrap());
            let extension = path.extension().and_then(|extension| extension.to_str());
            let document = match extension {
                Some("json") => node::read_json(&text),
                Some("yaml") => node::read_yaml(&text, Scalars::Json),
                _ => continue,
            };
            let document = document.unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
            let roots = document.roots.iter().map(plain).collect();
            files.push(ShippedFile { path, roots });
        }
    }
    files
}

/// A YAML or JSON value as serde has it.
pub(crate) fn plain(node: &Node<'_>) -> Value {
    match &node.value {
        node::NodeValue::Null => Value::Null,
        node::NodeValue::Bool(value) => json!(value),
        node::NodeValue::Int(value) => json!(value),
        node::NodeValue::Uint(value) => json!(value),
        node::NodeValue::Decimal(text) => serde_json::from_str(text).unwrap(),
        node::NodeValue::String(text) => json!(text),
        node::NodeValue::List(items) => items.iter().map(plain).collect(),
        node::NodeValue::Map(entries) => {
            let fields = entries
                .iter()
                .map(|entry| (entry.key.name.to_string(), plain(&entry.node)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
    }
}

/// Configurations of the filter and of the poller, anywhere in a value.
pub(crate) fn configurations(value: &Value, found: &mut [Vec<Value>; 2]) {
    let [filters, pollers] = found;
    match value {
        Value::Object(fields) if fields.contains_key("poll") => pollers.push(value.clone()),
        // Envoy's own cluster lists occur next to listeners, and in aggregates.
        Value::Object(fields)
            if fields.contains_key("clusters")
                && ["target", "targets", "weighted"]
                    .iter()
                    .any(|name| fields.contains_key(*name)) =>
        {
            filters.push(value.clone());
        }
        Value::Object(fields) => fields
            .values()
            .for_each(|value| configurations(value, found)),
        Value::Array(items) => items.iter().for_each(|value| configurations(value, found)),
        Value::String(text) => {
            if let Ok(inner @ Value::Object(_)) = serde_json::from_str(text) {
                configurations(&inner, found);
            }
        }
        _ => {}
    }
}

/// A text with a key in each place where the start of a scenario inserts a fresh one.
fn with_keys(text: &str) -> String {
    let mut parts = text.split("${SPILLGATE_KEY_");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |all, part| {
        let (_, rest) = part.split_once('}').unwrap();
        all + "oaKjpKWmp6ipqqusra6vsLGys7S1tre4ubq7vL2+v8A=" + rest
    })
}
