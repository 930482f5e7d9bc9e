//! Kubernetes objects: lists, ConfigMaps, custom resources that contain Envoy's messages.

use alloc::format;

use super::{Part, Parts, Wrapped, patches, resources};
use crate::{
    Diagnostic,
    envoy::document::kind::MessageKind,
    node::{Node, NodeValue},
    proto::Report,
};

/// Opens a Kubernetes object or a document of Kuma.
pub(super) fn open<'n, 'a>(
    part: &Part<'n, 'a>,
    found: &mut Wrapped,
    report: &mut Report,
) -> Option<Parts<'n, 'a>> {
    let (kind, is_kubernetes) = match kind_of(part.node) {
        Some(kind) => (kind, true),
        None => (universal_kind(part.node)?, false),
    };
    // A whole configuration; the others are added to that of a proxy.
    let mut is_whole = matches!(kind, "ConfigMap" | "EnvoyProxy");
    let parts = match kind {
        kind if kind.ends_with("List") => return part.field("items")?.items(),
        "ConfigMap" => Some(data(part)),
        "EnvoyFilter" => patches::envoy_filter(part, report),
        "EnvoyPatchPolicy" => patches::patch_policy(part, report),
        "MeshProxyPatch" => patches::mesh_proxy_patch(part, report),
        "ProxyTemplate" => patches::proxy_template(part, report),
        _ if is_kubernetes => spec(kind, part, report).or_else(|| {
            is_whole = true;
            arguments(part)
        }),
        _ => None,
    };
    let parts = parts.unwrap_or_default();
    if parts.is_empty() {
        let metadata = part.field("metadata").filter(|_| is_kubernetes);
        let named = metadata.as_ref().unwrap_or(part);
        skip(kind, named.text("name"), part, found, report);
    }
    found.partial |= !is_whole && !parts.is_empty();
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

/// The values of a ConfigMap that are configurations: [`super::expand`] has read their texts. Some are of
/// other programs.
fn data<'n, 'a>(part: &Part<'n, 'a>) -> Parts<'n, 'a> {
    let data = part.field("data").map(|data| data.entries());
    let values = data.unwrap_or_default().into_iter().map(|(_, value)| value);
    values
        .filter(|value| !matches!(value.node.value, NodeValue::String(_) | NodeValue::Null))
        .map(Part::foreign)
        .collect()
}

/// The bootstraps in the arguments of a pod's containers: [`super::expand`] has read their texts.
fn arguments<'n, 'a>(part: &Part<'n, 'a>) -> Option<Parts<'n, 'a>> {
    let spec = part.field("spec")?;
    let template = spec.field("template").and_then(|it| it.field("spec"));
    let containers = template.unwrap_or(spec).field("containers")?.items()?;
    let of = |container: &Part<'n, 'a>, name| container.field(name).and_then(|it| it.items());
    let arguments = containers.iter().flat_map(|container| {
        let args = of(container, "args").unwrap_or_default();
        args.into_iter()
            .chain(of(container, "command").unwrap_or_default())
    });
    Some(arguments.filter(Part::is_map).collect())
}

/// The messages in the `spec` of a custom resource: the message that its kind names, a list of
/// resources, a bootstrap, the bootstrap of Envoy Gateway's EnvoyProxy, the resources of Marin3r's
/// EnvoyConfig.
fn spec<'n, 'a>(kind: &'n str, part: &Part<'n, 'a>, report: &mut Report) -> Option<Parts<'n, 'a>> {
    let spec = part.field("spec").filter(Part::is_map)?;
    if MessageKind::is_named_and_recognized(kind, spec.node) {
        return Some(Parts::from([spec.typed(kind)]));
    }
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
