//! Services.

use alloc::{string::String, vec::Vec};

use crate::{
    mesh::{
        document::{KUBE_DOCUMENT, MeshDocument, ResourceMeta},
        port::{TargetPort, read_target_port},
        value::TextMap,
    },
    proto::{
        Irrelevance::{Discovery, Document, NotInForce, UsedByOthers},
        Message, Report, Schema,
    },
};

pub(super) static SERVICE: Schema = Schema::new(
    "Service",
    "selector ports clusterIP type publishNotReadyAddresses internalTrafficPolicy \
     trafficDistribution externalIPs externalName",
)
.ignored(&[
    (Document, KUBE_DOCUMENT),
    (UsedByOthers, "clusterIPs"),
    (
        Discovery,
        "allocateLoadBalancerNodePorts externalTrafficPolicy healthCheckNodePort \
         ipFamilies ipFamilyPolicy loadBalancerClass loadBalancerIP loadBalancerSourceRanges",
    ),
    // kube-proxy alone has them.
    (
        NotInForce,
        "sessionAffinity sessionAffinityConfig topologyKeys",
    ),
])
.lenient()
.of("Service");
// The fields next to `spec`.
static DOCUMENT: Schema = Schema::new("Service", "metadata spec status")
    .ignored(&[(Document, "apiVersion kind")])
    .lenient();
pub(super) static STATUS: Schema = Schema::new("status", "loadBalancer")
    .ignored(&[(Document, "conditions")])
    .lenient()
    .of("Service.status");
pub(super) static BALANCER: Schema = Schema::new("loadBalancer", "ingress")
    .lenient()
    .of("Service.status.loadBalancer");
pub(super) static INGRESS: Schema = Schema::new("ingress", "ip hostname")
    .ignored(&[(Discovery, "ipMode ports")])
    .lenient()
    .of("Service.status.loadBalancer.ingress");
pub(super) static PORT: Schema = Schema::new("port", "name port targetPort protocol appProtocol")
    .ignored(&[(Discovery, "nodePort")])
    .lenient()
    .of("Service.ports");

/// A Kubernetes Service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubeService {
    /// Name, namespace, labels and annotations.
    pub meta: ResourceMeta,
    /// The labels of its Pods.
    pub selector: TextMap,
    /// Its TCP ports; other protocols have no cluster.
    pub ports: Vec<KubeServicePort>,
    /// Whether it has no address of its own (`clusterIP: None`).
    pub headless: bool,
    /// The name that it is an alias of (`externalName`), for `type: ExternalName`.
    pub external_name: Option<String>,
    /// Whether Pods that are not ready receive requests (`publishNotReadyAddresses`).
    pub publishes_not_ready: bool,
    /// Whether clients only reach Pods on their own node (`internalTrafficPolicy: Local`).
    pub node_local: bool,
    /// `trafficDistribution`, as written.
    pub traffic_distribution: Option<String>,
    /// The addresses at which others reach it (`status.loadBalancer.ingress`, `externalIPs`).
    pub external_addresses: Vec<String>,
}

/// One port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubeServicePort {
    /// Its number.
    pub port: u16,
    /// Its name.
    pub name: Option<String>,
    /// Its protocol (`appProtocol`).
    pub app_protocol: Option<String>,
    /// The port of the Pod; the same number by default.
    pub target: TargetPort,
}

/// Reads a Service.
pub(crate) fn read_service(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<KubeService> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &SERVICE, report)?;
    let mut ports = Vec::new();
    for port in spec.messages("ports", &PORT, report) {
        port.require("port", report);
        let Some(number) = port.port("port", report) else {
            continue;
        };
        let read = KubeServicePort {
            port: number,
            name: port.string("name", report).map(Into::into),
            app_protocol: port.string("appProtocol", report).map(Into::into),
            target: read_target_port(&port, report).unwrap_or(TargetPort::Number(number)),
        };
        let protocol = port.string("protocol", report);
        if protocol.is_none_or(|protocol| protocol.is_empty() || protocol == "TCP") {
            ports.push(read);
        }
    }
    let mut external_addresses = Vec::new();
    let root = Message::open(document.node, document.path.clone(), &DOCUMENT, report)?;
    let status = root.message("status", &STATUS, report);
    let balancer = status.and_then(|of| of.message("loadBalancer", &BALANCER, report));
    let ingresses = balancer.map(|of| of.messages("ingress", &INGRESS, report));
    for ingress in ingresses.iter().flatten() {
        let (ip, name) = (
            ingress.string("ip", report),
            ingress.string("hostname", report),
        );
        external_addresses.extend(ip.or(name).map(String::from));
    }
    external_addresses.extend(spec.texts("externalIPs", report));
    let traffic_distribution = spec.string("trafficDistribution", report).map(String::from);
    Some(KubeService {
        meta,
        selector: spec.text_map("selector", report),
        ports,
        headless: spec.string("clusterIP", report) == Some("None"),
        external_name: match spec.string("type", report) {
            Some("ExternalName") => Some(spec.text("externalName", report)),
            _ => None,
        },
        publishes_not_ready: spec.bool("publishNotReadyAddresses", report) == Some(true),
        node_local: spec.string("internalTrafficPolicy", report) == Some("Local"),
        traffic_distribution,
        external_addresses,
    })
}
