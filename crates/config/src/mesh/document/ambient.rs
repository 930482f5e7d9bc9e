//! Documents of Istio's ambient mode, in which ztunnel and waypoints replace sidecars.

use alloc::string::String;

use crate::node::{Node, NodeValue};

/// A document that belongs to ambient mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmbientDocument {
    /// Its kind, as in `Namespace`.
    pub kind: String,
    /// Its name; may be empty.
    pub name: String,
    /// Whether it puts its Pods into ambient mode (`istio.io/dataplane-mode`); others use a waypoint, or
    /// are one.
    pub has_pods: bool,
}

/// The label that puts Pods into ambient mode.
pub(in crate::mesh) const DATAPLANE_MODE: &str = "istio.io/dataplane-mode";

/// The value of the label for ambient mode.
pub(in crate::mesh) const AMBIENT: &str = "ambient";

/// Whether a document belongs to Istio's ambient mode: by its labels, or as a waypoint.
#[must_use]
pub fn is_ambient(node: &Node<'_>) -> bool {
    let spec = node.get("spec");
    let class = spec.and_then(|spec| text(spec, "gatewayClassName"));
    class == Some("istio-waypoint")
        || label(node, DATAPLANE_MODE) == Some(AMBIENT)
        || label(node, "istio.io/use-waypoint").is_some_and(|waypoint| waypoint != "none")
}

/// The entry of a document, if it belongs to ambient mode.
pub(super) fn ambient(node: &Node<'_>, kind: &str) -> Option<AmbientDocument> {
    is_ambient(node).then(|| AmbientDocument {
        kind: kind.into(),
        name: node
            .get("metadata")
            .and_then(|metadata| text(metadata, "name"))
            .unwrap_or_default()
            .into(),
        has_pods: label(node, DATAPLANE_MODE) == Some(AMBIENT),
    })
}

fn label<'n>(node: &'n Node<'_>, name: &str) -> Option<&'n str> {
    text(node.get("metadata")?.get("labels")?, name)
}

fn text<'n>(node: &'n Node<'_>, field: &str) -> Option<&'n str> {
    match &node.get(field)?.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}
