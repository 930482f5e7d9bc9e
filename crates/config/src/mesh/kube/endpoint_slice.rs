//! EndpointSlices.

use alloc::{string::String, vec::Vec};

use crate::{
    mesh::document::{KUBE_DOCUMENT, MeshDocument, ResourceMeta},
    node::{Node, NodeValue},
    proto::{
        Irrelevance::{Discovery, Document, NotInForce, UsedByOthers},
        Message, Report, Schema, limit,
    },
};

pub(super) static SLICE: Schema = Schema::new("EndpointSlice", "endpoints ports")
    .limits(&[limit("addressType", "Istio ignores slices of host names").only("FQDN")])
    .ignored(&[(Document, KUBE_DOCUMENT)])
    .lenient()
    .of("EndpointSlice");
pub(super) static ENDPOINT: Schema =
    Schema::new("endpoint", "addresses conditions nodeName zone targetRef")
        .ignored(&[
            (Discovery, "hostname"),
            (NotInForce, "hints deprecatedTopology"),
        ])
        .lenient()
        .of("EndpointSlice.endpoints");
pub(super) static CONDITIONS: Schema = Schema::new("conditions", "ready serving terminating")
    .lenient()
    .of("EndpointSlice.endpoints.conditions");
pub(super) static TARGET_REF: Schema = Schema::new("targetRef", "kind name")
    .ignored(&[(
        Document,
        "apiVersion fieldPath namespace resourceVersion uid",
    )])
    .lenient()
    .of("EndpointSlice.endpoints.targetRef");
// The Service has the protocol of the port.
pub(super) static PORT: Schema = Schema::new("port", "name port")
    .ignored(&[(UsedByOthers, "protocol appProtocol")])
    .lenient()
    .of("EndpointSlice.ports");

/// An EndpointSlice: some endpoints of a Service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubeEndpointSlice {
    /// Name, namespace and labels.
    pub meta: ResourceMeta,
    /// Whether its addresses are host names (`addressType: FQDN`), which Istio ignores.
    pub of_names: bool,
    /// Its ports.
    pub ports: Vec<KubeSlicePort>,
    /// Its endpoints.
    pub endpoints: Vec<KubeEndpoint>,
}

/// One port of a slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubeSlicePort {
    /// The name of the service's port; empty for a single port without a name.
    pub name: String,
    /// The number at the endpoints.
    pub port: u16,
}

/// One endpoint of a slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubeEndpoint {
    /// Its addresses: Istio uses all of them.
    pub addresses: Vec<String>,
    /// Whether it receives requests.
    pub state: KubeReadiness,
    /// The name of its Node.
    pub node: Option<String>,
    /// Its zone.
    pub zone: Option<String>,
    /// The name of its Pod (`targetRef`).
    pub pod: Option<String>,
}

impl KubeEndpointSlice {
    /// The name of its Service.
    #[must_use]
    pub fn service(&self) -> Option<&str> {
        self.meta.label("kubernetes.io/service-name")
    }
}

/// Whether an endpoint or a Pod receives requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KubeReadiness {
    /// It is ready.
    Ready,
    /// It is not ready.
    NotReady,
    /// It terminates, and still serves requests.
    Draining,
    /// It terminates, and serves no requests.
    Terminating,
    /// A Pod that has ended (phase `Succeeded` or `Failed`): no endpoint of any service
    /// (`ShouldPodBeInEndpoints`).
    Ended,
}

impl KubeReadiness {
    /// From the conditions of an endpoint, as Istio reads them (`endpointHealthStatus`): an absent one
    /// counts as true, also `terminating` of an endpoint that is not ready.
    fn new(ready: Option<bool>, serving: Option<bool>, terminating: Option<bool>) -> Self {
        match (ready.unwrap_or(true), terminating.unwrap_or(true)) {
            (true, _) => Self::Ready,
            (false, false) => Self::NotReady,
            (false, true) if serving.unwrap_or(true) => Self::Draining,
            (false, true) => Self::Terminating,
        }
    }

    /// Whether it is ready.
    #[must_use]
    pub const fn is_ready(self) -> bool {
        matches!(self, Self::Ready)
    }
}

/// Reads an EndpointSlice.
pub(crate) fn read_endpoint_slice(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<KubeEndpointSlice> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let slice = Message::open(document.spec, path, &SLICE, report)?;
    let mut ports = Vec::new();
    for port in slice.messages("ports", &PORT, report) {
        if let Some(number) = port.port("port", report) {
            ports.push(KubeSlicePort {
                name: port.text("name", report),
                port: number,
            });
        }
    }
    let endpoints = slice.messages("endpoints", &ENDPOINT, report);
    Some(KubeEndpointSlice {
        meta,
        of_names: has_names(document.node),
        ports,
        endpoints: endpoints
            .iter()
            .map(|endpoint| read_endpoint(endpoint, report))
            .collect(),
    })
}

fn has_names(slice: &Node<'_>) -> bool {
    let value = slice.get("addressType").map(|of| &of.value);
    matches!(value, Some(NodeValue::String(kind)) if kind == "FQDN")
}

fn read_endpoint(endpoint: &Message<'_, '_>, report: &mut Report) -> KubeEndpoint {
    endpoint.require("addresses", report);
    let conditions = endpoint.message("conditions", &CONDITIONS, report);
    let mut holds = |field| conditions.as_ref().and_then(|of| of.bool(field, report));
    let state = KubeReadiness::new(holds("ready"), holds("serving"), holds("terminating"));
    let pod = endpoint.message("targetRef", &TARGET_REF, report);
    let mut text = |field| endpoint.string(field, report).map(String::from);
    let (node, zone) = (text("nodeName"), text("zone"));
    KubeEndpoint {
        addresses: endpoint.texts("addresses", report),
        state,
        node,
        zone,
        pod: pod
            .filter(|pod| pod.string("kind", report).is_none_or(|kind| kind == "Pod"))
            .and_then(|pod| pod.string("name", report).map(Into::into)),
    }
}
