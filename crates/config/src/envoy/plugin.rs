//! The configurations of plugins: Wasm modules and dynamic modules.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::common::name_of;
use crate::{
    Diagnostic,
    node::{self, Document, Node, NodeValue},
    proto::field_of,
};

/// What the name of our dynamic module begins with; a hash of its content may follow.
const NATIVE_MODULE: &str = "spillgate";

const STRING_VALUE: &str = "google.protobuf.StringValue";

/// Whether an extension is one of our dynamic module.
pub(super) fn is_dynamic_module(extension: &Node<'_>) -> bool {
    module_name(extension).is_some_and(|name| name.starts_with(NATIVE_MODULE))
}

/// The name of the dynamic module of an extension.
pub(super) fn module_name<'n>(extension: &'n Node<'_>) -> Option<&'n str> {
    let config = field_of(extension, "dynamic_module_config")?;
    match &field_of(config, "name")?.value {
        NodeValue::String(name) => Some(name),
        _ => None,
    }
}

/// The text of a configuration as Envoy passes it to a plugin: that of a `StringValue`, or the JSON of a
/// `Struct`.
pub(super) fn configuration_text<'n>(configuration: &'n Node<'_>) -> Cow<'n, str> {
    match string_value(configuration) {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(node::to_json(configuration_value(configuration))),
    }
}

/// The configuration that Envoy passes to a plugin, as a tree: the value of a `Struct` with its positions, or
/// the JSON of a `StringValue`, all of it at the position of this text.
///
/// # Errors
/// A syntax error of the text, without the found value, which may be a part of a secret.
#[allow(clippy::result_large_err, reason = "called once for each plugin")]
pub(super) fn configuration_tree(
    configuration: &Node<'_>,
) -> Result<Document<'static>, Diagnostic> {
    let value = configuration_value(configuration);
    let Some(text) = string_value(configuration) else {
        return Ok(Document {
            roots: Vec::from([value.clone().moved(&|position| position)]),
            warnings: Vec::new(),
        });
    };
    let at_text = |fault: Diagnostic| Diagnostic {
        position: Some(value.position),
        ..fault
    };
    let document = node::read_json(text).map_err(|fault| Diagnostic {
        found: None,
        ..at_text(fault)
    })?;
    let roots = document.roots.into_iter();
    Ok(Document {
        roots: roots.map(|root| root.moved(&|_| value.position)).collect(),
        warnings: document.warnings.into_iter().map(at_text).collect(),
    })
}

fn string_value<'n>(configuration: &'n Node<'_>) -> Option<&'n str> {
    let type_url = field_of(configuration, "@type").map(|node| &node.value);
    let is_text = matches!(type_url, Some(NodeValue::String(url)) if url.ends_with(STRING_VALUE));
    match &configuration_value(configuration).value {
        NodeValue::String(text) if is_text => Some(text),
        _ => None,
    }
}

/// The value in the message of a configuration.
pub(super) fn configuration_value<'n, 'a>(configuration: &'n Node<'a>) -> &'n Node<'a> {
    field_of(configuration, "value").unwrap_or(configuration)
}

/// Whether the name of a Wasm plugin is Spillgate's.
pub(super) fn is_named_ours(plugin: &Node<'_>) -> bool {
    let is_ours = |field| {
        let name = name_of(plugin, field);
        name.is_some_and(|name| name.starts_with("spillgate"))
    };
    is_ours("name") || is_ours("root_id")
}

/// The warning that a plugin rejects its configuration, with the first reason.
pub(crate) fn rejection(plugin: &str, faults: &[Diagnostic]) -> Diagnostic {
    let text = faults.first().map_or_else(String::new, |fault| {
        let mut text = format!("{}: {}: {}", fault.code, fault.path, fault.message);
        // The finding names a key or a cluster there; elsewhere it may have a secret.
        if fault.code == "config/no-effect" {
            for (word, part) in [("; found ", &fault.found), (", expected ", &fault.expected)] {
                if let Some(part) = part {
                    text += word;
                    text += part;
                }
            }
        }
        text
    });
    let reasons = match faults.len() {
        1 => String::new(),
        many => format!(" for {many} reasons"),
    };
    let message = format!("{plugin} rejects its configuration{reasons}: {text}");
    Diagnostic::warning("config/filter-rejected", message)
}
