//! Writes a tree as JSON.

use alloc::string::String;

use super::{Entry, Node, NodeValue, Writer};

/// Writes a value as JSON. The input's nesting limit bounds the recursion.
#[must_use]
pub fn to_json(node: &Node<'_>) -> String {
    let mut json = Writer::new();
    write(node, &mut json, &|_| true);
    json.finish()
}

/// Writes a value with only those entries of its maps that `keeps` accepts.
pub(crate) fn write(node: &Node<'_>, into: &mut Writer, keeps: &dyn Fn(&Entry<'_>) -> bool) {
    match &node.value {
        NodeValue::Null => into.null(),
        NodeValue::Bool(value) => into.bool(*value),
        NodeValue::Int(value) => into.int(*value),
        NodeValue::Uint(value) => into.uint(*value),
        NodeValue::Decimal(text) => into.decimal(text),
        NodeValue::String(text) => into.string(text),
        NodeValue::List(items) => {
            into.begin_list();
            items.iter().for_each(|item| write(item, into, keeps));
            into.end_list();
        }
        NodeValue::Map(entries) => {
            into.begin_object();
            for entry in entries.iter().filter(|entry| keeps(entry)) {
                into.key(&entry.key.name);
                write(&entry.node, into, keeps);
            }
            into.end_object();
        }
    }
}
