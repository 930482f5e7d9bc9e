//! A tree as JSON.

use alloc::string::String;

use super::{Entry, Node, Value, Writer};

/// Writes a value as JSON. Nesting is as deep as the text's, which is bounded.
#[must_use]
pub fn to_json(node: &Node<'_>) -> String {
    let mut json = Writer::new();
    write(node, &mut json, &|_| true);
    json.finish()
}

/// Writes a value with those entries of its maps that `keeps` names.
pub(crate) fn write(node: &Node<'_>, into: &mut Writer, keeps: &dyn Fn(&Entry<'_>) -> bool) {
    match &node.value {
        Value::Null => into.null(),
        Value::Bool(value) => into.bool(*value),
        Value::Int(value) => into.int(*value),
        Value::Uint(value) => into.uint(*value),
        Value::Decimal(text) => into.decimal(text),
        Value::String(text) => into.string(text),
        Value::List(items) => {
            into.begin_list();
            items.iter().for_each(|item| write(item, into, keeps));
            into.end_list();
        }
        Value::Map(entries) => {
            into.begin_object();
            for entry in entries.iter().filter(|entry| keeps(entry)) {
                into.key(&entry.key.name);
                write(&entry.node, into, keeps);
            }
            into.end_object();
        }
    }
}
