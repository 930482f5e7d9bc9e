//! Rejects messages of Envoy's v2 API: Envoy 1.40 supports v3 only.

use crate::{
    Diagnostic,
    node::{Node, NodeValue, quote},
    proto::{Path, Report},
};

/// The name of a message's type, without the prefix before the slash.
pub(crate) fn type_name<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    match &node.get("@type")?.value {
        NodeValue::String(url) => url.rsplit('/').next(),
        _ => None,
    }
}

/// Reports a message whose `@type` is a v2 type; returns whether the message can be read.
pub(crate) fn check_version(node: &Node<'_>, path: &Path, report: &mut Report) -> bool {
    let old = type_name(node).filter(|name| is_version_2(name));
    if let Some(name) = old {
        Diagnostic::error(
            "config/api-version",
            "v2 API message; Envoy 1.18 removed the v2 API",
        )
        .at(path.field("@type").text(), node.position)
        .found(quote(name))
        .expected("the v3 message")
        .push_to(report);
    }
    old.is_none()
}

fn is_version_2(name: &str) -> bool {
    name.starts_with("envoy.")
        && name
            .split('.')
            .any(|part| part == "v2" || part == "v2alpha")
}
