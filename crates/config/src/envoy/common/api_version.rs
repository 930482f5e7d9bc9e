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
        let fault = version_2(name).at(path.field("@type").text(), node.position);
        report.refuse(fault);
    }
    old.is_none()
}

/// The error of a message of the v1 API.
pub(crate) fn version_1(field: &str) -> Diagnostic {
    Diagnostic::error(
        "config/api-version",
        "v1 API, which Envoy no longer has. Write a bootstrap of the v3 API",
    )
    .found(quote(field))
}

/// The error of a message or a dump of the v2 API.
pub(crate) fn version_2(type_name: &str) -> Diagnostic {
    Diagnostic::error(
        "config/api-version",
        "v2 API; Envoy 1.18 removed it. Use an Envoy and a control plane that have v3, or rename \
         the messages (spillgate explain-code config/api-version)",
    )
    .found(quote(type_name))
    .expected("the v3 message")
}

/// Whether a type is of the v2 API, as in `envoy.api.v2.Cluster`.
pub(crate) fn is_version_2(name: &str) -> bool {
    name.starts_with("envoy.")
        && name
            .split('.')
            .any(|part| part == "v2" || part == "v2alpha")
}
