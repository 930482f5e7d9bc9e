//! Envoy configurations as text inside Kubernetes objects and policies of Kuma: values of ConfigMaps,
//! fields `value` and `resource` of custom resources, arguments of containers.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::kubernetes::{kind_of, universal_kind};
use crate::{
    Diagnostic, Position,
    envoy::Format,
    node::{Document, Node, NodeValue},
};

/// Fields of custom resources with a message as text.
const MESSAGE_FIELDS: [&str; 2] = ["value", "resource"];
/// Fields of containers with arguments.
const ARGUMENT_FIELDS: [&str; 2] = ["args", "command"];
/// The argument of Envoy with a bootstrap, in the next argument or in the same one.
const CONFIG_ARGUMENT: &str = "--config-yaml";

/// Words of which a text with a configuration contains at least one.
const SIGNS: [&str; 11] = [
    "static_resources",
    "staticResources",
    "dynamic_resources",
    "dynamicResources",
    "connect_timeout",
    "connectTimeout",
    "load_assignment",
    "loadAssignment",
    "virtual_hosts",
    "virtualHosts",
    "type.googleapis.com/envoy",
];

/// Replaces the texts with configurations by their values. Positions of a YAML block become those of
/// the file; other texts keep the position of their field.
///
/// # Errors
/// The syntax errors of the texts.
pub(crate) fn expand(document: &mut Document<'_>, text: &str) -> Result<(), Vec<Diagnostic>> {
    let mut faults = Vec::new();
    let mut warnings = Vec::new();
    for root in &mut document.roots {
        if kind_of(root).is_some() || universal_kind(root).is_some() {
            let mut expansion = Expansion {
                text,
                faults: &mut faults,
                warnings: &mut warnings,
            };
            expansion.object(root, "");
        }
    }
    document.warnings.append(&mut warnings);
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

struct Expansion<'t, 'f> {
    text: &'t str,
    faults: &'f mut Vec<Diagnostic>,
    warnings: &'f mut Vec<Diagnostic>,
}

impl Expansion<'_, '_> {
    fn object(&mut self, node: &mut Node<'_>, path: &str) {
        if let Some("List" | "ConfigMapList") = kind_of(node) {
            if let Some(Node {
                value: NodeValue::List(items),
                ..
            }) = field_mut(node, "items")
            {
                for (index, item) in items.iter_mut().enumerate() {
                    self.object(item, &format!("{path}items[{index}]."));
                }
            }
            return;
        }
        let (fields, every): (&[&str], _) = match kind_of(node) {
            Some("ConfigMap") => (&["data"], true),
            Some(_) => (&["spec"], false),
            // A ProxyTemplate has `conf` instead.
            None => (&["spec", "conf"], false),
        };
        for field in fields {
            if let Some(inside) = field_mut(node, field) {
                self.fields(inside, every, &format!("{path}{field}"));
            }
        }
    }

    /// Reads the texts of all fields, or of those that can have a configuration, at any depth.
    fn fields(&mut self, node: &mut Node<'_>, every: bool, path: &str) {
        match &mut node.value {
            NodeValue::Map(entries) => {
                for entry in entries {
                    let path = format!("{path}.{}", entry.key.name);
                    let name = entry.key.name.as_ref();
                    let is_text = matches!(entry.node.value, NodeValue::String(_));
                    if is_text && (every || MESSAGE_FIELDS.contains(&name)) {
                        self.value(&mut entry.node, name, &path);
                    } else if ARGUMENT_FIELDS.contains(&name) {
                        self.arguments(&mut entry.node, &path);
                    } else {
                        self.fields(&mut entry.node, every, &path);
                    }
                }
            }
            NodeValue::List(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.fields(item, every, &format!("{path}[{index}]"));
                }
            }
            _ => {}
        }
    }

    /// Reads the argument of a container that is a bootstrap.
    fn arguments(&mut self, node: &mut Node<'_>, path: &str) {
        let NodeValue::List(items) = &mut node.value else {
            return;
        };
        let mut is_next = false;
        for (index, item) in items.iter_mut().enumerate() {
            let NodeValue::String(text) = &mut item.value else {
                continue;
            };
            let inside = text.strip_prefix(CONFIG_ARGUMENT);
            if let Some(inside) = inside.and_then(|it| it.strip_prefix([' ', '='])) {
                *text = Cow::Owned(inside.into());
                is_next = true;
            }
            if is_next {
                self.value(item, "", &format!("{path}[{index}]"));
            }
            is_next = matches!(&item.value, NodeValue::String(text) if text == CONFIG_ARGUMENT);
        }
    }

    /// Reads the text of a value, if it is a configuration.
    fn value(&mut self, node: &mut Node<'_>, name: &str, path: &str) {
        let NodeValue::String(inside) = &node.value else {
            return;
        };
        if !SIGNS.iter().any(|sign| inside.contains(sign)) {
            return;
        }
        let place = TextPlace::of(self.text, node.position);
        let format = Format::guess(name, inside);
        match format.parse(inside) {
            Ok(read) => {
                let moved = |at| place.outer(at);
                for mut warning in read.warnings {
                    warning.position = warning.position.map(moved);
                    self.warnings.push(warning);
                }
                let mut roots: Vec<Node<'static>> = read
                    .roots
                    .into_iter()
                    .map(|root| root.moved(&moved))
                    .collect();
                let value = match roots.len() {
                    1 => roots.pop().map(|root| root.value),
                    _ => Some(NodeValue::List(roots)),
                };
                node.value = value.unwrap_or(NodeValue::Null);
            }
            Err(mut fault) => {
                fault.position = Some(place.outer(fault.position.unwrap_or(Position::START)));
                fault.path = String::from(path);
                self.faults.push(fault);
            }
        }
    }
}

/// The place of a text within a file.
struct TextPlace {
    /// The position of the value; in a YAML block, of its first line that is not blank.
    value: Position,
    /// The line of a YAML block's `|`; `None` for other texts.
    header: Option<u32>,
}

impl TextPlace {
    fn of(file: &str, value: Position) -> Self {
        let before = usize::try_from(value.line.saturating_sub(1)).unwrap_or(usize::MAX);
        let indent = usize::try_from(value.column.saturating_sub(1)).unwrap_or(usize::MAX);
        let mut lines = file.lines().skip(before);
        let first = lines.next().unwrap_or_default();
        let is_first = first.chars().take(indent).all(|c| c == ' ');
        let lines = file.lines().take(before).zip(1..);
        let header = lines
            .filter(|(line, _)| !line.trim().is_empty())
            .last()
            .filter(|(line, _)| is_first && begins_block(line));
        Self {
            value,
            header: header.map(|(_, number)| number),
        }
    }

    /// The position in the file of a position in the text.
    fn outer(&self, inner: Position) -> Position {
        match self.header {
            Some(header) => Position {
                line: header.saturating_add(inner.line),
                column: inner
                    .column
                    .saturating_add(self.value.column.saturating_sub(1)),
            },
            None => self.value,
        }
    }
}

/// Whether a line ends with the indicators of a literal block: `|`, `|-`, `|2+`.
fn begins_block(line: &str) -> bool {
    let indicators = line
        .rsplit_once('|')
        .map(|(_, indicators)| indicators.trim_end());
    indicators.is_some_and(|it| it.chars().all(|c| matches!(c, '+' | '-' | '0'..='9')))
}

fn field_mut<'n, 'a>(node: &'n mut Node<'a>, name: &str) -> Option<&'n mut Node<'a>> {
    let NodeValue::Map(entries) = &mut node.value else {
        return None;
    };
    let mut entries = entries.iter_mut();
    entries
        .rfind(|entry| entry.key.name == Cow::Borrowed(name))
        .map(|entry| &mut entry.node)
}
