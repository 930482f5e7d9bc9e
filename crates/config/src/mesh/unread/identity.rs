//! Which document of the other side is the same one.

use alloc::{format, string::String};

use super::{combined, hash_of, kinds::is_generated, labels::is_of_one_start, text_of};
use crate::{
    mesh::document::DocumentKind,
    node::{Node, NodeValue},
};

/// What documents of both sides have in common if they are the same one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    /// Its kind and its name.
    pub(super) text: String,
    /// What else it is known by.
    pub(super) hash: u64,
    /// Whether several documents can be alike, however many they are.
    pub(super) is_shared: bool,
}

impl Identity {
    /// That of a document of a kind with this name.
    pub(super) fn of(node: &Node<'_>, kind: Option<DocumentKind>, name: &str) -> Self {
        let metadata = node.get("metadata");
        let mesh = hash_of(text_of(node, "mesh").unwrap_or("default"));
        if kind.is_some_and(is_generated) {
            let namespace = metadata.and_then(|of| text_of(of, "namespace"));
            let (mut hash, mut text) = (mesh, String::from(name));
            if let Some(namespace) = namespace {
                text = format!("{name} in {namespace}");
            }
            workload(node, &mut hash);
            return Self {
                text,
                hash,
                is_shared: true,
            };
        }
        let own = metadata.unwrap_or(node);
        let full = match (text_of(own, "namespace"), text_of(own, "name")) {
            (_, None) => String::new(),
            (None, Some(of)) if metadata.is_none() => format!(" {of}"),
            (namespace, Some(of)) => format!(" {}/{of}", namespace.unwrap_or("default")),
        };
        Self {
            text: format!("{name}{full}"),
            hash: mesh,
            is_shared: false,
        }
    }
}

/// Adds the labels and tags of a workload, wherever they are, without those of one start of it.
fn workload(node: &Node<'_>, hash: &mut u64) {
    match &node.value {
        NodeValue::List(items) => items.iter().for_each(|item| workload(item, hash)),
        NodeValue::Map(entries) => {
            for entry in entries {
                match (entry.key.name.as_ref(), &entry.node.value) {
                    ("labels" | "tags", NodeValue::Map(labels)) => {
                        for label in labels {
                            if let NodeValue::String(value) = &label.node.value
                                && !is_of_one_start(&label.key.name)
                            {
                                let key = combined(&[hash_of(&label.key.name), hash_of(value)]);
                                *hash = hash.wrapping_add(key);
                            }
                        }
                    }
                    _ => workload(&entry.node, hash),
                }
            }
        }
        _ => {}
    }
}
