//! Services.

use alloc::{string::String, vec::Vec};

use crate::{
    mesh::{
        document::{MeshDocument, ResourceMeta},
        port::{TargetPort, read_target_port},
        value::TextMap,
    },
    proto::{Message, Report},
};

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
    /// Whether it is an alias of an external name (`type: ExternalName`).
    pub external_name: bool,
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
    let spec = Message::open_partly(document.spec, path, "Service", report)?;
    let mut ports = Vec::new();
    for port in spec.objects("ports", "port", report) {
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
    let root = Message::open_partly(document.node, document.path.clone(), "Service", report)?;
    let status = root.object("status", "ServiceStatus", report);
    let balancer = status.and_then(|of| of.object("loadBalancer", "loadBalancer", report));
    let ingresses = balancer.map(|of| of.objects("ingress", "ingress", report));
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
        external_name: spec.string("type", report) == Some("ExternalName"),
        publishes_not_ready: spec.bool("publishNotReadyAddresses", report) == Some(true),
        node_local: spec.string("internalTrafficPolicy", report) == Some("Local"),
        traffic_distribution,
        external_addresses,
    })
}
