//! Kubernetes objects: lists, ConfigMaps, custom resources that contain Envoy's messages.

use alloc::format;

use super::{Part, Parts, Wrapped, patches, resources};
use crate::{
    Diagnostic,
    node::{Node, NodeValue},
    proto::Report,
};

/// Opens a Kubernetes object or a document of a service mesh.
pub(super) fn open<'n, 'a>(
    part: &Part<'n, 'a>,
    found: &mut Wrapped,
    report: &mut Report,
) -> Option<Parts<'n, 'a>> {
    let Some(kind) = kind_of(part.node) else {
        let kind = universal_kind(part.node)?;
        skip(kind, part.text("name"), part, found, report);
        return Some(Parts::new());
    };
    let parts = match kind {
        kind if kind.ends_with("List") => return part.field("items")?.items(),
        "ConfigMap" => Some(data(part)),
        "EnvoyFilter" => patches::envoy_filter(part, report),
        "EnvoyPatchPolicy" => patches::patch_policy(part, report),
        _ => spec(part, report),
    };
    let parts = parts.unwrap_or_default();
    if parts.is_empty() {
        let metadata = part.field("metadata");
        let name = metadata.and_then(|metadata| metadata.text("name"));
        skip(kind, name, part, found, report);
    }
    found.partial |= kind != "ConfigMap" && kind != "EnvoyProxy" && !parts.is_empty();
    Some(parts)
}

/// The kind of a Kubernetes object; `None` for other values.
pub(super) fn kind_of<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    text(node, "apiVersion")?;
    text(node, "kind")
}

/// The kind of a mesh document outside Kubernetes, such as `type: MeshService`: Envoy's clusters
/// have `STATIC` or a number.
pub(crate) fn universal_kind<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    let kind = text(node, "type")?;
    let is_name = kind.starts_with(|c: char| c.is_ascii_uppercase())
        && kind.contains(|c: char| c.is_ascii_lowercase());
    is_name.then_some(kind)
}

fn text<'n>(node: &'n Node<'_>, field: &str) -> Option<&'n str> {
    match &node.get(field)?.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}

/// Reports a document of another kind.
fn skip(
    kind: &str,
    name: Option<&str>,
    part: &Part<'_, '_>,
    found: &mut Wrapped,
    report: &mut Report,
) {
    let name = name.unwrap_or_default();
    found.skipped.push(match name {
        "" => kind.into(),
        name => format!("{kind} {name}"),
    });
    report.push(Diagnostic::skipped(kind, name, part.node.position));
}

/// The values of a ConfigMap that are configurations: [`super::expand`] has read their texts.
fn data<'n, 'a>(part: &Part<'n, 'a>) -> Parts<'n, 'a> {
    let data = part.field("data").map(|data| data.entries());
    let values = data.unwrap_or_default().into_iter().map(|(_, value)| value);
    values
        .filter(|value| !matches!(value.node.value, NodeValue::String(_) | NodeValue::Null))
        .collect()
}

/// The messages in the `spec` of a custom resource: a list of resources, a bootstrap, the bootstrap
/// of Envoy Gateway's EnvoyProxy, the resources of Marin3r's EnvoyConfig.
fn spec<'n, 'a>(part: &Part<'n, 'a>, report: &mut Report) -> Option<Parts<'n, 'a>> {
    let spec = part.field("spec").filter(Part::is_map)?;
    if let Some(bootstrap) = spec.field("bootstrap").and_then(|b| b.field("value")) {
        return bootstrap.is_map().then(|| Parts::from([bootstrap]));
    }
    if spec.field("static_resources").is_some() {
        return Some(Parts::from([spec]));
    }
    if let Some(resources) = spec.field("envoy_resources") {
        return resources::by_kind(&resources);
    }
    let resources = resources::open(&spec, report)?;
    let named: Parts<'n, 'a> = resources
        .iter()
        .cloned()
        .filter_map(resources::named)
        .collect();
    if !named.is_empty() {
        return Some(named);
    }
    // Other kinds have lists of these names, too.
    let typed = |part: &Part<'_, '_>| part.is_map() && part.node.get("@type").is_some();
    resources.iter().any(typed).then_some(resources)
}
