//! The configurations of plugins: Wasm modules and dynamic modules.

use alloc::{borrow::Cow, format, string::String};

use crate::{
    Diagnostic,
    node::{self, Node, NodeValue},
    proto::field_of,
};

/// What the name of our native module begins with; a hash of its content may follow.
const NATIVE_MODULE: &str = "spillgate";

const STRING_VALUE: &str = "google.protobuf.StringValue";

/// Whether an extension is one of our native module.
pub(super) fn is_native_module(extension: &Node<'_>) -> bool {
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
    let value = configuration_value(configuration);
    let type_url = field_of(configuration, "@type").map(|node| &node.value);
    let is_text = matches!(type_url, Some(NodeValue::String(url)) if url.ends_with(STRING_VALUE));
    match &value.value {
        NodeValue::String(text) if is_text => Cow::Borrowed(text),
        _ => Cow::Owned(node::to_json(value)),
    }
}

/// The value in the message of a configuration.
pub(super) fn configuration_value<'n, 'a>(configuration: &'n Node<'a>) -> &'n Node<'a> {
    field_of(configuration, "value").unwrap_or(configuration)
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
