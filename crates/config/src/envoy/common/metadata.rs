//! `core.v3.Metadata` and `google.protobuf.Struct`: typed values by key.

use alloc::{string::String, sync::Arc, vec::Vec};

use spillgate_core::{
    decimal,
    model::{Metadata, NAMESPACE, Value},
};

use crate::{
    Diagnostic,
    envoy::schema::METADATA,
    node::{Node, NodeValue},
    proto::{Message, Path, Report},
};

/// The `envoy.lb` part of a `core.v3.Metadata` field; empty if absent.
pub(crate) fn envoy_lb(
    message: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Metadata {
    match lb_struct(message, field, report) {
        Some((path, node)) => read_struct(node, &path, report),
        None => Metadata::default(),
    }
}

/// The place of that part, not read yet.
pub(crate) fn lb_struct<'n, 'a>(
    message: &Message<'n, 'a>,
    field: &'static str,
    report: &mut Report,
) -> Option<(Path, &'n Node<'a>)> {
    let metadata = message.message(field, &METADATA, report)?;
    namespace(&metadata, NAMESPACE, report)
}

/// A `google.protobuf.Struct` in a field; empty if absent.
pub fn read_metadata(
    message: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Metadata {
    match message.get(field) {
        Some(node) => read_struct(node, &message.path.field(field), report),
        None => Metadata::default(),
    }
}

/// A namespace of a metadata message. Every namespace must be an object.
pub(crate) fn namespace<'n, 'a>(
    metadata: &Message<'n, 'a>,
    name: &str,
    report: &mut Report,
) -> Option<(Path, &'n Node<'a>)> {
    let node = metadata.get("filter_metadata")?;
    let path = metadata.path.field("filter_metadata");
    let NodeValue::Map(entries) = &node.value else {
        report.push(wrong_struct(node, &path, "an object of namespaces"));
        return None;
    };
    let mut found = None;
    for entry in entries {
        let path = path.field(String::from(&*entry.key.name));
        match &entry.node.value {
            NodeValue::Null => {}
            // Of duplicate namespaces the last one is used.
            NodeValue::Map(_) if entry.key.name == name => found = Some((path, &entry.node)),
            NodeValue::Map(_) => {}
            _ => report.push(wrong_struct(&entry.node, &path, "an object of values")),
        }
    }
    found
}

/// Reads a `google.protobuf.Struct`. The input's nesting limit applies.
pub fn read_struct(node: &Node<'_>, path: &Path, report: &mut Report) -> Metadata {
    let NodeValue::Map(entries) = &node.value else {
        report.push(wrong_struct(node, path, "an object of values"));
        return Metadata::default();
    };
    let mut fields: Vec<(Arc<str>, Value)> = Vec::with_capacity(entries.len());
    for entry in entries {
        let path = path.field(String::from(&*entry.key.name));
        if let Some(value) = read_value(&entry.node, &path, report) {
            fields.push(((&*entry.key.name).into(), value));
        }
    }
    Metadata::new(fields)
}

/// Reads a `google.protobuf.Value`: the JSON types, with numbers as doubles.
pub(crate) fn read_value(node: &Node<'_>, path: &Path, report: &mut Report) -> Option<Value> {
    Some(match &node.value {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(value) => Value::Bool(*value),
        NodeValue::Int(value) => Value::Number(*value as f64),
        NodeValue::Uint(value) => Value::Number(*value as f64),
        NodeValue::Decimal(text) => match decimal::parse(text) {
            Some(value) if value.is_finite() => Value::Number(value),
            _ => {
                report.push(wrong_struct(node, path, "a finite number"));
                return None;
            }
        },
        NodeValue::String(text) => Value::Text((&**text).into()),
        NodeValue::List(items) => {
            let mut values = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                values.extend(read_value(item, &path.index(index), report));
            }
            Value::List(values.into())
        }
        NodeValue::Map(_) => Value::Struct(read_struct(node, path, report)),
    })
}

fn wrong_struct(node: &Node<'_>, path: &Path, expected: &'static str) -> Diagnostic {
    Diagnostic::error("config/type", "wrong type")
        .at(path.text(), node.position)
        .found(node.describe())
        .expected(expected)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::node::read_json;
    use crate::proto::Schema;

    static HOLDER: Schema = Schema::new("Holder", "metadata");

    fn read(text: &str) -> (Metadata, Result<Vec<Diagnostic>, Vec<Diagnostic>>) {
        let document = read_json(text).unwrap();
        let mut report = Report::default();
        let message =
            Message::open(&document.roots[0], Path::root(), &HOLDER, &mut report).unwrap();
        let metadata = envoy_lb(&message, "metadata", &mut report);
        (metadata, report.finish())
    }

    #[test]
    fn values_keep_their_types() {
        let (metadata, found) = read(
            r#"{"metadata": {"filter_metadata": {"other": {"a": 1}, "envoy.lb":
                {"t": "1", "n": 1, "d": 1.0, "b": true, "z": null, "l": [1, "a"], "s": {"k": -2.5e3}}}}}"#,
        );
        assert_eq!(found, Ok(vec![]));
        let number = Value::Number;
        for (key, value) in [
            ("t", Value::Text("1".into())),
            ("n", number(1.0)),
            ("d", number(1.0)),
            ("b", Value::Bool(true)),
            ("z", Value::Null),
            (
                "l",
                Value::List([number(1.0), Value::Text("a".into())].into()),
            ),
            ("s", Value::Struct(Metadata::new([("k", number(-2500.0))]))),
        ] {
            assert_eq!(metadata.get(key), Some(&value), "{key}");
        }
        assert_eq!(metadata.fields().len(), 7);
    }

    #[test]
    fn invalid_structs_have_positions() {
        let (metadata, found) = read(
            "{\"metadata\": {\"filter_metadata\": {\n\"envoy.lb\": [1],\n\"other\": 7},\n\"more\": 1}}",
        );
        assert!(metadata.is_empty());
        let places: Vec<_> = found
            .unwrap_err()
            .into_iter()
            .map(|d| (d.position.unwrap().line, d.code))
            .collect();
        assert_eq!(
            places,
            [
                (2, "config/type"),
                (3, "config/type"),
                (4, "config/unknown-field")
            ]
        );
    }

    #[test]
    fn metadata_without_the_namespace_are_empty() {
        for text in [
            "{}",
            r#"{"metadata": {}}"#,
            r#"{"metadata": {"filterMetadata": {"a": {}, "envoy.lb": null}}}"#,
        ] {
            assert_eq!(read(text), (Metadata::default(), Ok(vec![])), "{text}");
        }
    }
}
