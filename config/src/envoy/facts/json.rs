//! A value of the text as JSON.

use crate::node::{Node, Value, Writer};

/// Writes a value.
pub(super) fn write(node: &Node<'_>, into: &mut Writer) {
    match &node.value {
        Value::Null => into.null(),
        Value::Bool(value) => into.bool(*value),
        Value::Int(value) => into.int(*value),
        Value::Uint(value) => into.uint(*value),
        Value::Decimal(text) => into.decimal(text),
        Value::String(text) => into.string(text),
        Value::List(items) => {
            into.begin_list();
            items.iter().for_each(|item| write(item, into));
            into.end_list();
        }
        Value::Map(entries) => {
            into.begin_object();
            for entry in entries {
                into.key(&entry.key.name);
                write(&entry.node, into);
            }
            into.end_object();
        }
    }
}
