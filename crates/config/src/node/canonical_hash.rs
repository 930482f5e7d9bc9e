//! The hash of a value.

use alloc::vec::Vec;

use spillgate_core::hash::xxh64;

use super::{Entry, Node, NodeValue};

/// A hash of a value in which the order of keys and null values do not count.
#[must_use]
pub fn canonical_hash(node: &Node<'_>) -> u64 {
    let mut text = Vec::new();
    write(node, &mut text);
    xxh64(&text, 0)
}

fn write(node: &Node<'_>, out: &mut Vec<u8>) {
    match &node.value {
        NodeValue::Null => out.push(b'n'),
        NodeValue::Bool(value) => out.extend([b'b', u8::from(*value)]),
        NodeValue::Int(value) => {
            out.push(b'i');
            out.extend(value.to_le_bytes());
        }
        NodeValue::Uint(value) => {
            out.push(b'u');
            out.extend(value.to_le_bytes());
        }
        NodeValue::Decimal(text) => write_text(b'd', text, out),
        NodeValue::String(text) => write_text(b's', text, out),
        NodeValue::List(items) => {
            out.push(b'[');
            items.iter().for_each(|item| write(item, out));
            out.push(b']');
        }
        NodeValue::Map(entries) => {
            let set = entries.iter();
            let set = set.filter(|entry| entry.node.value != NodeValue::Null);
            let mut set: Vec<&Entry<'_>> = set.collect();
            set.sort_by(|a, b| a.key.name.cmp(&b.key.name));
            out.push(b'{');
            for entry in set {
                write_text(b'k', &entry.key.name, out);
                write(&entry.node, out);
            }
            out.push(b'}');
        }
    }
}

fn write_text(kind: u8, text: &str, out: &mut Vec<u8>) {
    out.push(kind);
    out.extend(text.len().to_le_bytes());
    out.extend(text.as_bytes());
}
