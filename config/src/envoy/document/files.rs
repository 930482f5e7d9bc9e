//! Files that a configuration names as the source of its resources (`path_config_source`).

use alloc::{string::String, vec::Vec};

use super::SourceText;
use crate::{
    Position,
    envoy::common::file_of,
    node::{Node, NodeValue},
    proto::{field_of, same_name},
};

/// A file that Envoy watches for clusters, listeners, endpoints or routes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReference {
    /// The path in Envoy's file system.
    pub path: String,
    /// The position of the path in the text.
    pub position: Position,
}

/// The fields of type `ConfigSource` for resources that are read.
const SOURCES: [&str; 3] = ["cds_config", "lds_config", "eds_config"];

/// The files that a text names, in text order. A text with a syntax error names none.
///
/// # Examples
/// ```
/// use spillgate_config::envoy::{SourceText, referenced_files};
///
/// let text = "dynamic_resources: {cds_config: {path_config_source: {path: /etc/envoy/cds.yaml}}}";
/// let files = referenced_files(&SourceText::guess("envoy.yaml", text));
/// assert_eq!(files[0].path, "/etc/envoy/cds.yaml");
/// ```
#[must_use]
pub fn referenced_files(source: &SourceText<'_>) -> Vec<FileReference> {
    let mut found = Vec::new();
    if let Ok(document) = source.format.parse(source.text) {
        for root in &document.roots {
            visit(root, &mut found);
        }
    }
    found
}

fn visit(node: &Node<'_>, found: &mut Vec<FileReference>) {
    match &node.value {
        NodeValue::List(items) => items.iter().for_each(|item| visit(item, found)),
        NodeValue::Map(entries) => {
            for entry in entries {
                let name = &entry.key.name;
                let source = if SOURCES.iter().any(|field| same_name(name, field)) {
                    Some(&entry.node)
                } else if name == "rds" {
                    field_of(&entry.node, "config_source")
                } else {
                    None
                };
                let file = source.and_then(file_of);
                found.extend(file.map(|(path, position)| FileReference {
                    path: path.into(),
                    position,
                }));
                visit(&entry.node, found);
            }
        }
        _ => {}
    }
}
