//! Values of mesh documents that their readers do not use, and the hash of a value.

use alloc::vec::Vec;

use spillgate_core::hash::xxh64;

use super::{Path, Schema};
use crate::node::{Entry, Node, NodeValue};

/// How a field counts that is not read as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noted {
    /// Not at all.
    No,
    /// Whether it is there; its own fields are noted one by one.
    Presence,
    /// With its value, which chooses no host.
    Value,
    /// With its value, which can change which route or host requests get.
    Choice,
}

/// Decides how a field of a message with these entries counts.
pub(crate) type Counts = fn(&Schema, &str, &[Entry<'_>]) -> Noted;

/// A noted value.
#[derive(Debug)]
pub(crate) struct NotedValue {
    /// The address of its node, which finds it again in the tree.
    pub(crate) address: usize,
    pub(crate) path: Path,
    pub(crate) hash: u64,
    /// Whether it can change which route or host requests get.
    pub(crate) can_choose: bool,
}

/// The notes so far, with what decides.
#[derive(Debug)]
pub(super) struct NotedValues {
    pub(super) counts: Counts,
    pub(super) values: Vec<NotedValue>,
}

pub(super) fn address(node: &Node<'_>) -> usize {
    core::ptr::from_ref(node).addr()
}

/// A hash of a value in which the order of keys and null values do not count.
pub(crate) fn canonical_hash(node: &Node<'_>) -> u64 {
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
