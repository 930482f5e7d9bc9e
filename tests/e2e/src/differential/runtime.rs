//! Runtime values of a scenario, in the layers of a bootstrap.

use serde_json::{Map, Value, json};

/// A runtime value.
#[derive(Debug, Clone, PartialEq)]
pub struct StaticValue {
    /// The parts of its key, which dots separate.
    pub key: Vec<String>,
    /// The value.
    pub value: Value,
    /// Whether the key is a struct of its parts instead of one text.
    pub nested: bool,
    /// A value that the first layer has, and the second one replaces.
    pub replaced: Option<Value>,
}

impl StaticValue {
    /// A value in the first layer, under a key of one text.
    #[must_use]
    pub fn new(key: &[&str], value: Value) -> Self {
        Self {
            key: key.iter().map(|&part| part.to_owned()).collect(),
            value,
            nested: false,
            replaced: None,
        }
    }

    /// The same value with other names in its key.
    #[must_use]
    pub(crate) fn renamed(&self, name: &dyn Fn(&str) -> String) -> Self {
        Self {
            key: self.key.iter().map(|part| name(part)).collect(),
            ..self.clone()
        }
    }

    fn write(&self, layer: &mut Value, value: &Value) {
        if self.nested {
            let mut place = layer;
            for part in &self.key {
                place = &mut place[part];
            }
            *place = value.clone();
        } else {
            layer[self.key.join(".")] = value.clone();
        }
    }
}

/// A `layered_runtime` with these values.
pub(super) fn layers(entries: &[&StaticValue]) -> Value {
    let mut first = Value::Object(Map::new());
    let mut second = Value::Object(Map::new());
    for entry in entries {
        match &entry.replaced {
            Some(replaced) => {
                entry.write(&mut first, replaced);
                entry.write(&mut second, &entry.value);
            }
            None => entry.write(&mut first, &entry.value),
        }
    }
    json!({"layers": [
        {"name": "first", "static_layer": first},
        {"name": "second", "static_layer": second},
    ]})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replaced_value_is_in_both_layers() {
        let nested = StaticValue {
            nested: true,
            replaced: Some(json!(1)),
            ..StaticValue::new(&["a", "b"], json!(2))
        };
        let flat = StaticValue::new(&["a", "c"], json!("3"));
        let layers = layers(&[&nested, &flat]);
        let layer = |at: usize| layers["layers"][at]["static_layer"].clone();
        assert_eq!(layer(0), json!({"a": {"b": 1}, "a.c": "3"}));
        assert_eq!(layer(1), json!({"a": {"b": 2}}));
    }
}
