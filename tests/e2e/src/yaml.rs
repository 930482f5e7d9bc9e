//! YAML as control planes read it: documents to JSON values.

use anyhow::{Result, anyhow};
use serde_json::{Map, Number, Value};
use spillgate_config::node::{self, Node, Scalars};

/// All documents of a text.
///
/// # Errors
/// When it is no YAML.
pub fn documents(text: &str) -> Result<Vec<Value>> {
    let read = node::read_yaml(text, Scalars::Json).map_err(|fault| anyhow!("{fault}"))?;
    read.roots.iter().map(value).collect()
}

fn value(node: &Node<'_>) -> Result<Value> {
    Ok(match &node.value {
        node::NodeValue::Null => Value::Null,
        node::NodeValue::Bool(value) => Value::Bool(*value),
        node::NodeValue::Int(number) => Value::Number((*number).into()),
        node::NodeValue::Uint(number) => Value::Number((*number).into()),
        node::NodeValue::Decimal(text) => {
            let number = Number::from_f64(text.parse()?);
            Value::Number(number.ok_or_else(|| anyhow!("`{text}` is no number"))?)
        }
        node::NodeValue::String(text) => Value::String(text.to_string()),
        node::NodeValue::List(items) => {
            Value::Array(items.iter().map(value).collect::<Result<_>>()?)
        }
        node::NodeValue::Map(entries) => {
            let mut map = Map::new();
            for entry in entries {
                map.insert(entry.key.name.to_string(), value(&entry.node)?);
            }
            Value::Object(map)
        }
    })
}
