//! Messages of the API that came before: Envoy 1.40 knows version 3 only.

use crate::{
    Diagnostic,
    node::{Node, NodeValue, quote},
    proto::{Path, Report},
};

/// The name of a message's type, without the host before the slash.
pub(crate) fn type_name<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    match &node.get("@type")?.value {
        NodeValue::String(url) => url.rsplit('/').next(),
        _ => None,
    }
}

/// Reports a message whose `@type` is of version 2, and says whether it is fit to read.
pub(crate) fn check_version(node: &Node<'_>, path: &Path, report: &mut Report) -> bool {
    let old = type_name(node).filter(|name| is_version_2(name));
    if let Some(name) = old {
        Diagnostic::error(
            "config/api-version",
            "a message of Envoy's version 2 API, which ended with Envoy 1.18",
        )
        .at(path.field("@type").text(), node.position)
        .found(quote(name))
        .expected("the message of version 3, as Envoy 1.40 knows it")
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
