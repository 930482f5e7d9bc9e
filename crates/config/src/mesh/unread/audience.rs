//! Documents that concern proxies which the view from a zone does not have: gateways, and proxies that are selected.

use crate::{
    Position,
    mesh::document::{DocumentKind as Kind, MeshDocument},
    node::{Node, NodeValue},
};

use super::text_of;

/// A reference without fields.
static NOTHING: Node<'_> = Node {
    value: NodeValue::Null,
    position: Position::START,
};

/// Whom a document concerns beyond the plain proxy of a zone; `None` for no one else.
pub(super) fn audience(document: &MeshDocument<'_, '_>) -> Option<&'static str> {
    const GATEWAYS: Option<&str> = Some("for gateways");
    const SOME: Option<&str> = Some("for some proxies");
    let spec = document.spec;
    match document.kind {
        Kind::MeshGateway | Kind::IstioGateway => GATEWAYS,
        Kind::Dataplane if spec.get("networking").is_some_and(|of| has(of, "gateway")) => GATEWAYS,
        Kind::LoadBalancingStrategy | Kind::MeshHttpRoute | Kind::MeshTcpRoute => {
            let target = spec.get("targetRef").unwrap_or(&NOTHING);
            match text_of(target, "kind") {
                Some("MeshGateway") => GATEWAYS,
                Some(kind) if kind != "Mesh" => SOME,
                _ if selects(target) || holds(spec, "affinityTags", &|_| true) => SOME,
                _ => None,
            }
        }
        Kind::HttpRoute | Kind::GrpcRoute => {
            let mut parents = items(spec, "parentRefs");
            if parents.any(|of| !matches!(text_of(of, "kind"), Some("Service" | "ServiceEntry"))) {
                return GATEWAYS;
            }
            // A route in another namespace than its service is for clients there.
            let mut parents = items(spec, "parentRefs");
            parents.find(|of| has(of, "namespace")).and(SOME)
        }
        Kind::VirtualService => {
            let mut gateways = items(spec, "gateways");
            if gateways.any(|of| !is_text(of, "mesh")) {
                return GATEWAYS;
            }
            let routes = ["http", "tls", "tcp"].into_iter();
            let mut matches = routes
                .flat_map(|list| items(spec, list))
                .flat_map(|route| items(route, "match"));
            let is_source = |of: &Node<'_>| {
                ["gateways", "sourceLabels", "sourceNamespace"]
                    .iter()
                    .any(|field| has(of, field))
            };
            let for_some = is_narrow(spec) || matches.any(is_source);
            if for_some { SOME } else { None }
        }
        Kind::DestinationRule => {
            let for_some = has(spec, "workloadSelector")
                || is_narrow(spec)
                || is_foreign(document)
                || compares_labels(document.node);
            if for_some { SOME } else { None }
        }
        Kind::MeshConfig | Kind::IstioOperator | Kind::ConfigMap
            if compares_labels(document.node) =>
        {
            SOME
        }
        Kind::ServiceEntry if is_narrow(spec) => SOME,
        _ => None,
    }
}

fn has(node: &Node<'_>, field: &str) -> bool {
    node.get(field).is_some()
}

/// Whether a reference to the mesh selects by anything.
fn selects(target: &Node<'_>) -> bool {
    let mut types = items(target, "proxyTypes");
    let fields = ["labels", "name", "sectionName", "tags"];
    types.any(|of| !is_text(of, "Sidecar")) || fields.iter().any(|field| has(target, field))
}

/// Whether a document is visible in some namespaces only.
fn is_narrow(spec: &Node<'_>) -> bool {
    has(spec, "exportTo") && !items(spec, "exportTo").any(|of| is_text(of, "*"))
}

/// Whether a rule is for a service of another namespace: clients in the rule's own have it.
fn is_foreign(document: &MeshDocument<'_, '_>) -> bool {
    let host = text_of(document.spec, "host").unwrap_or_default();
    let mut labels = host.split('.').skip(1);
    let (namespace, domain) = (labels.next(), labels.next());
    let own = document.node.get("metadata");
    let own = own.and_then(|of| text_of(of, "namespace"));
    domain == Some("svc") && namespace != own
}

/// Whether the order of endpoints depends on labels of the proxy, which that of a zone does not have; a ConfigMap has it
/// in a text.
fn compares_labels(node: &Node<'_>) -> bool {
    const FIELD: &str = "failoverPriority";
    let in_text = node.get("data").and_then(|data| text_of(data, "mesh"));
    let is_label = |of: &Node<'_>| match &of.value {
        NodeValue::List(labels) => labels.iter().any(|label| match &label.value {
            NodeValue::String(label) => !label.starts_with("topology."),
            _ => false,
        }),
        _ => false,
    };
    in_text.is_some_and(|text| text.contains(FIELD)) || holds(node, FIELD, &is_label)
}

/// Whether a field with such a value is anywhere below.
fn holds(node: &Node<'_>, field: &str, is: &dyn Fn(&Node<'_>) -> bool) -> bool {
    match &node.value {
        NodeValue::List(items) => items.iter().any(|item| holds(item, field, is)),
        NodeValue::Map(entries) => entries
            .iter()
            .any(|of| (of.key.name == field && is(&of.node)) || holds(&of.node, field, is)),
        _ => false,
    }
}

fn items<'n, 'a>(
    node: &'n Node<'a>,
    field: &str,
) -> impl Iterator<Item = &'n Node<'a>> + use<'n, 'a> {
    let items = match node.get(field).map(|of| &of.value) {
        Some(NodeValue::List(items)) => items.as_slice(),
        _ => &[],
    };
    items.iter()
}

fn is_text(node: &Node<'_>, expected: &str) -> bool {
    matches!(&node.value, NodeValue::String(text) if text == expected)
}
