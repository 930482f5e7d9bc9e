//! Files that a configuration names as the source of its resources (`path_config_source`).

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use super::SourceText;
use crate::{
    Diagnostic, Position,
    envoy::common::file_of,
    node::{Node, NodeValue, quote},
    proto::{field_of, same_name},
};

/// A file that Envoy watches for clusters, listeners, endpoints or routes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReference {
    /// The path in Envoy's file system.
    pub path: String,
    /// The position of the path in the text.
    pub position: Position,
    /// The type of its resources, such as `Cluster`.
    pub resource: &'static str,
}

/// The fields of type `ConfigSource` for resources that are read, with the types of these.
const SOURCES: [(&str, &str); 3] = [
    ("cds_config", "Cluster"),
    ("lds_config", "Listener"),
    ("eds_config", ASSIGNMENT),
];
/// The types of which a file has one resource.
const ASSIGNMENT: &str = "ClusterLoadAssignment";
const ROUTES: &str = "RouteConfiguration";

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

/// Why Envoy refuses a file with resources of a type (`Cluster`, for example) as a whole, so that nothing
/// in it counts; `None` if it does not.
///
/// The reason quotes nothing of the file: a configuration of others can name any file.
///
/// # Examples
/// ```
/// use spillgate_config::envoy::{SourceText, refused_file};
///
/// let file = |text: &str| refused_file(&SourceText::guess("eds.yaml", text), "ClusterLoadAssignment");
/// let one = "{'@type': type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment, cluster_name: a}";
/// assert!(file(&format!("resources: [{one}]")).is_none());
/// assert!(file(&format!("resources: [{one}, {one}]")).is_some());
/// ```
#[must_use]
pub fn refused_file(source: &SourceText<'_>, resource: &'static str) -> Option<Diagnostic> {
    let refused_at = |what: &str, position: Position| {
        let fault = Diagnostic::error("input/xds-file", format!("Envoy refuses this file: {what}"));
        fault.at("", position)
    };
    let refused = |what: &str, node: &Node<'_>| refused_at(what, node.position);
    let document = match source.format.parse(source.text) {
        Ok(document) => document,
        Err(fault) => {
            let fault = refused_at(
                "it has a syntax error",
                fault.position.unwrap_or(Position::START),
            );
            return Some(fault.expected("resources: [...]; as CONFIG, the error has details"));
        }
    };
    let Some(root) = document.roots.first() else {
        return Some(refused_at("it is empty", Position::START));
    };
    let Some(resources) = field_of(root, "resources") else {
        let fault = refused("it has no resources", root);
        return Some(fault.expected(format!("resources: [...] with {resource}")));
    };
    let NodeValue::List(items) = &resources.value else {
        return Some(refused("resources is not a list", resources));
    };
    for item in items {
        let url = match item.get("@type").map(|node| &node.value) {
            Some(NodeValue::String(url)) => url,
            _ => return Some(refused("a resource without @type", item).expected(resource)),
        };
        let name = url.rsplit('.').next().unwrap_or_default();
        if name != resource && name != "Resource" {
            let fault = refused("a resource of another type", item).expected(resource);
            let is_message = url.starts_with("type.googleapis.com/envoy.");
            return Some(if is_message {
                fault.found(quote(url))
            } else {
                fault
            });
        }
    }
    if [ASSIGNMENT, ROUTES].contains(&resource) && items.len() != 1 {
        let fault = refused("several resources, or none", resources);
        let found = items.len().to_string();
        return Some(fault.found(found).expected(format!("one {resource}")));
    }
    None
}

fn visit(node: &Node<'_>, found: &mut Vec<FileReference>) {
    match &node.value {
        NodeValue::List(items) => items.iter().for_each(|item| visit(item, found)),
        NodeValue::Map(entries) => {
            for entry in entries {
                let name = &entry.key.name;
                let known = SOURCES.iter().find(|(field, _)| same_name(name, field));
                let source = match known {
                    Some((_, resource)) => Some((&entry.node, *resource)),
                    None if name == "rds" => {
                        field_of(&entry.node, "config_source").map(|source| (source, ROUTES))
                    }
                    None => None,
                };
                found.extend(source.and_then(|(source, resource)| {
                    let (path, position) = file_of(source)?;
                    Some(FileReference {
                        path: path.into(),
                        position,
                        resource,
                    })
                }));
                visit(&entry.node, found);
            }
        }
        _ => {}
    }
}
