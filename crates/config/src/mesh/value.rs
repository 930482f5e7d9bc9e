//! Reads values of Kubernetes, Kuma and Istio objects.
//!
//! Unlike Envoy's JSON, these have real lists and real strings: a single value in place of a list
//! is an error, as it is for `kubectl` and `kumactl`.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::{
    Diagnostic,
    node::{Node, NodeValue},
    proto::{Elements, Message, Path, Report, Schema, wrong_type},
};

/// Labels, tags or annotations.
pub type TextMap = BTreeMap<String, String>;

impl<'n, 'a> Message<'n, 'a> {
    /// The elements of a list.
    pub(super) fn items(&self, field: &'static str, report: &mut Report) -> Elements<'n, 'a> {
        let path = self.path.field(field);
        let nodes: &'n [Node<'a>] = match self.get(field) {
            None => &[],
            Some(node) => list_of(node, &path, report),
        };
        Elements::new(path, nodes)
    }

    /// The elements of a list of messages.
    pub(super) fn messages(
        &self,
        field: &'static str,
        schema: &Schema,
        report: &mut Report,
    ) -> Vec<Message<'n, 'a>> {
        let items: Vec<_> = self.items(field, report).collect();
        items
            .into_iter()
            .filter_map(|(path, node)| Message::open(node, path, schema, report))
            .collect()
    }

    /// An object in a field, opened without checking its fields.
    pub(super) fn object(
        &self,
        field: &'static str,
        name: &'static str,
        report: &mut Report,
    ) -> Option<Message<'n, 'a>> {
        Message::open_partly(self.get(field)?, self.path.field(field), name, report)
    }

    /// A list of strings; empty if it is absent. A faulty element is an empty string.
    pub(super) fn texts(&self, field: &'static str, report: &mut Report) -> Vec<String> {
        let items: Vec<_> = self.items(field, report).collect();
        items
            .into_iter()
            .map(|(path, node)| text(node, &path, report).unwrap_or_default())
            .collect()
    }

    /// A map of strings; empty if it is absent.
    pub(super) fn text_map(&self, field: &'static str, report: &mut Report) -> TextMap {
        let Some(map) = self.object(field, "strings by name", report) else {
            return TextMap::new();
        };
        let mut texts = TextMap::new();
        for entry in map.entries {
            let path = map.path.field(String::from(entry.key.name.as_ref()));
            if let Some(value) = text(&entry.node, &path, report) {
                texts.insert(entry.key.name.as_ref().into(), value);
            }
        }
        texts
    }

    /// A string, or an empty one.
    pub(super) fn text(&self, field: &'static str, report: &mut Report) -> String {
        self.string(field, report).unwrap_or_default().into()
    }

    /// A port from 1 to 65535.
    pub(super) fn port(&self, field: &'static str, report: &mut Report) -> Option<u16> {
        let port = self.u32_within(field, 1..=65535, report)?;
        u16::try_from(port).ok()
    }
}

/// The elements of a list.
pub(super) fn list_of<'n, 'a>(
    node: &'n Node<'a>,
    path: &Path,
    report: &mut Report,
) -> &'n [Node<'a>] {
    if let NodeValue::List(nodes) = &node.value {
        return nodes;
    }
    report.push(wrong_type(node, path, "a list"));
    &[]
}

/// A string; null is reported, as in `zones: [null]`.
pub(super) fn text(node: &Node<'_>, path: &Path, report: &mut Report) -> Option<String> {
    if let NodeValue::String(text) = &node.value {
        return Some(text.as_ref().into());
    }
    let mut fault: Diagnostic = wrong_type(node, path, "a string");
    if !matches!(
        node.value,
        NodeValue::List(_) | NodeValue::Map(_) | NodeValue::Null
    ) {
        fault.message.push_str(" (put it in quotes)");
    }
    report.push(fault);
    None
}
