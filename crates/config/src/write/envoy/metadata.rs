//! `core.v3.Metadata` and `google.protobuf.Struct`.

use alloc::string::String;

use spillgate_core::model::{Metadata, NAMESPACE, Value};

use super::super::tree::{Fields, Tree, within};

/// A `core.v3.Metadata` with the metadata used by balancing only; empty for empty metadata.
pub(super) fn envoy_lb(metadata: &Metadata) -> Fields {
    if metadata.is_empty() {
        return Fields::new();
    }
    within("filter_metadata", within(NAMESPACE, structure(metadata)))
}

/// A `google.protobuf.Struct`.
pub(crate) fn structure(metadata: &Metadata) -> Fields {
    let mut fields = Fields::new();
    for field in metadata.fields() {
        fields = fields.with(String::from(&*field.key), value(&field.value));
    }
    fields
}

pub(crate) fn value(value: &Value) -> Tree {
    match value {
        Value::Null => Tree::Null,
        Value::Bool(value) => Tree::Bool(*value),
        Value::Number(value) => Tree::Number(*value),
        Value::Text(text) => Tree::Text((&**text).into()),
        Value::List(values) => Tree::List(values.iter().map(self::value).collect()),
        Value::Struct(fields) => Tree::Map(structure(fields)),
    }
}
