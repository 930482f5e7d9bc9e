//! Documents of other control planes: Envoy's configuration follows from them, and no command reads them.

use spillgate_config::{
    Diagnostic, NamedText, Position,
    mesh::is_ambient,
    node::{Node, NodeValue},
};

/// The API group of the Gateway API.
const GATEWAY_API: &str = "gateway.networking.k8s.io";

/// The kinds of the Gateway API that are read as documents of a mesh.
const MESH_ROUTES: [&str; 2] = ["HTTPRoute", "GRPCRoute"];

/// Documents of a control plane.
struct ControlPlane {
    /// Their API group, or the end of it after a dot.
    group: &'static str,
    /// Their kinds; empty for all kinds of the group.
    kinds: &'static [&'static str],
    /// The kinds that are read as an Envoy configuration.
    envoy: &'static [&'static str],
    name: &'static str,
    /// What to read instead.
    instead: &'static str,
}

/// The table of control planes. The first entry that fits a document counts.
static CONTROL_PLANES: [ControlPlane; 10] = [
    ControlPlane {
        group: "gateway.envoyproxy.io",
        kinds: &[],
        envoy: &["EnvoyProxy", "EnvoyPatchPolicy"],
        name: "Envoy Gateway",
        instead: "the output of `egctl x translate --from gateway-api --to xds -f FILE`",
    },
    ControlPlane {
        group: "kgateway.dev",
        kinds: &[],
        envoy: &[],
        name: "kgateway",
        instead: "`/config_dump?include_eds` of the gateway's Envoy (port 19000)",
    },
    ControlPlane {
        group: "solo.io",
        kinds: &[],
        envoy: &[],
        name: "Gloo",
        instead: "the output of `glooctl proxy dump`",
    },
    ControlPlane {
        group: GATEWAY_API,
        kinds: &[],
        envoy: &[],
        name: "an implementation of the Gateway API",
        instead: "the output of `egctl x translate --from gateway-api --to xds -f FILE` (Envoy Gateway), \
                  `istioctl proxy-config all POD -o json` (Istio), or `/config_dump?include_eds` of the gateway's \
                  Envoy",
    },
    ControlPlane {
        group: "projectcontour.io",
        kinds: &[],
        envoy: &[],
        name: "Contour",
        instead: "`/config_dump?include_eds` of an Envoy of Contour (port 9001)",
    },
    ControlPlane {
        group: "getambassador.io",
        kinds: &[],
        envoy: &[],
        name: "Emissary",
        instead: "`/config_dump?include_eds` of Emissary's Envoy (port 8001)",
    },
    ControlPlane {
        group: "consul.hashicorp.com",
        kinds: &[],
        envoy: &[],
        name: "Consul",
        instead: "`/config_dump?include_eds` of a proxy (consul-dataplane, port 19000)",
    },
    ControlPlane {
        group: "appmesh.k8s.aws",
        kinds: &[],
        envoy: &[],
        name: "App Mesh",
        instead: "`/config_dump?include_eds` of a proxy (port 9901)",
    },
    ControlPlane {
        group: "admiral.io",
        kinds: &[],
        envoy: &[],
        name: "Admiral, through documents of Istio,",
        instead: "the output of `kubectl get serviceentry,destinationrule,virtualservice -A -o yaml`",
    },
    ControlPlane {
        group: "networking.istio.io",
        kinds: &["EnvoyFilter", "ProxyConfig", "Sidecar", "WorkloadGroup"],
        envoy: &["EnvoyFilter"],
        name: "Istio",
        instead: "the output of `istioctl proxy-config all POD -o json`",
    },
];

/// Configuration entries of Consul outside Kubernetes, by their `Kind`.
const CONSUL_ENTRIES: [&str; 12] = [
    "api-gateway",
    "http-route",
    "ingress-gateway",
    "mesh",
    "proxy-defaults",
    "sameness-group",
    "service-defaults",
    "service-resolver",
    "service-router",
    "service-splitter",
    "tcp-route",
    "terminating-gateway",
];

/// What replaces sidecars in Istio's ambient mode.
static AMBIENT: ControlPlane = ControlPlane {
    group: "",
    kinds: &[],
    envoy: &[],
    name: "Istio's ambient mode (ztunnel, which is not an Envoy, and waypoints)",
    instead: "the output of `istioctl proxy-config all WAYPOINT_POD -o json`; `istioctl ztunnel-config all` \
              shows what ztunnel does",
};

/// Labels of ambient mode, and the class of a waypoint.
const AMBIENT_MARKS: [&str; 3] = [
    "istio.io/use-waypoint",
    "istio.io/dataplane-mode",
    "istio-waypoint",
];

/// How a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadAs {
    Envoy,
    Mesh,
}

/// The documents of one kind in a text.
struct Found<'t> {
    plane: &'static ControlPlane,
    kind: String,
    name: String,
    position: Position,
    more: usize,
    text: &'t NamedText,
}

/// A warning for each kind of document of other control planes, by the name of its text.
pub(crate) fn of_other_control_planes<'t>(
    texts: impl Iterator<Item = &'t NamedText>,
    read_as: ReadAs,
) -> Vec<(String, Vec<Diagnostic>)> {
    let mut all = Vec::new();
    for text in texts.filter(|text| may_have_some(&text.text)) {
        // The reader reports the errors.
        let Ok(document) = text.source().format.parse(&text.text) else {
            continue;
        };
        for root in &document.roots {
            find(root, (text, read_as), &mut all);
        }
    }
    let warnings = all.into_iter().map(|found: Found<'_>| {
        let name = found.plane.name;
        let what = if core::ptr::eq(found.plane, &AMBIENT) {
format!("{name} balances the connections of such documents; answers can differ")
} else {
format!(
                "{name} makes Envoy's configuration from such documents; they are not read, and answers leave \
                 them out"
            )
};
        let mut documents = found.kind;
        if !found.name.is_empty() {
            documents.push_str(&format!(" {}", found.name));
        }
        if found.more > 0 {
            documents.push_str(&format!(" and {} more", found.more));
        }
        let warning = Diagnostic::warning("input/control-plane", what).at("", found.position).found(documents).expected(found.plane.instead);
        (found.text.name.clone(), vec![warning])
    });
    warnings.collect()
}

/// Whether a text can have such documents, so that it is worth parsing.
fn may_have_some(text: &str) -> bool {
    let groups = CONTROL_PLANES.iter().map(|plane| plane.group);
    let mut marks = groups.chain(AMBIENT_MARKS);
    let is_object = text.contains("apiVersion") && marks.any(|mark| text.contains(mark));
    is_object || (text.contains("Kind") && CONSUL_ENTRIES.iter().any(|kind| text.contains(kind)))
}

/// Finds the documents in a value: one document, or a list of them.
fn find<'t>(node: &Node<'_>, (text, read_as): (&'t NamedText, ReadAs), all: &mut Vec<Found<'t>>) {
    let items = match &node.value {
        NodeValue::List(_) => Some(node),
        _ if string(node, "kind").is_none_or(|kind| kind.ends_with("List")) => node.get("items"),
        _ => None,
    };
    if let Some(NodeValue::List(items)) = items.map(|items| &items.value) {
        for item in items {
            find(item, (text, read_as), all);
        }
        return;
    }
    let named = node.get("metadata").unwrap_or(node);
    let name = string(named, "name").or_else(|| string(node, "Name"));
    for (plane, kind) in planes(node, read_as) {
        let same = |found: &&mut Found<'_>| {
            found.kind == kind
                && core::ptr::eq(found.plane, plane)
                && core::ptr::eq(found.text, text)
        };
        match all.iter_mut().find(same) {
            Some(found) => found.more += 1,
            None => all.push(Found {
                plane,
                kind: kind.to_owned(),
                name: name.unwrap_or_default().to_owned(),
                position: node.position,
                more: 0,
                text,
            }),
        }
    }
}

/// The control planes of a document, with its kind.
fn planes<'n>(node: &'n Node<'_>, read_as: ReadAs) -> Vec<(&'static ControlPlane, &'n str)> {
    let mut found = Vec::new();
    if let (Some(version), Some(kind)) = (string(node, "apiVersion"), string(node, "kind")) {
        let group = version.split('/').next().unwrap_or_default();
        let fits = |plane: &&ControlPlane| {
            let rest = group.strip_suffix(plane.group);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
                && (plane.kinds.is_empty() || plane.kinds.contains(&kind))
        };
        let plane = CONTROL_PLANES.iter().find(fits);
        let is_read = |plane: &&ControlPlane| match read_as {
            ReadAs::Envoy => plane.envoy.contains(&kind),
            ReadAs::Mesh => plane.group == GATEWAY_API && MESH_ROUTES.contains(&kind),
        };
        found.extend(
            plane
                .filter(|plane| !is_read(plane))
                .map(|plane| (plane, kind)),
        );
        if is_ambient(node) {
            found.push((&AMBIENT, kind));
        }
    }
    if let Some(kind) = string(node, "Kind").filter(|kind| CONSUL_ENTRIES.contains(kind)) {
        let consul = |plane: &&ControlPlane| plane.name == "Consul";
        found.extend(
            CONTROL_PLANES
                .iter()
                .find(consul)
                .map(|plane| (plane, kind)),
        );
    }
    found
}

/// A string in a field.
pub(crate) fn string<'n>(node: &'n Node<'_>, field: &str) -> Option<&'n str> {
    match node.get(field).map(|node| &node.value) {
        Some(NodeValue::String(text)) => Some(text),
        _ => None,
    }
}
