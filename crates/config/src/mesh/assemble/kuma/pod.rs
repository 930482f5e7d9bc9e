//! Pods as Dataplanes, as Kuma's control plane converts them.

use alloc::{format, string::String};

use crate::mesh::{
    kube::{KubePod, KubeService},
    kuma::{DataplaneInbound, KumaDataplane, SERVICE_TAG, ZONE_TAG, named_by_pod},
    read::KubeDocuments,
    value::TextMap,
};

/// The labels of a Node that become tags (`runtime.kubernetes.injector.nodeLabelsToCopy`).
const NODE_LABELS: [&str; 3] = [
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
    "kubernetes.io/hostname",
];
/// The port of a Pod without a Service; nothing listens on it.
const RESERVED_PORT: u16 = 49151;

/// The Dataplane of a Pod: one inbound for each port of its Services.
pub(super) fn dataplane_of(pod: &KubePod, kube: &KubeDocuments) -> KumaDataplane {
    let node = kube.nodes.iter().find(|node| node.meta.name == pod.node);
    let zone = pod
        .meta
        .label(ZONE_TAG)
        .or_else(|| pod.meta.annotation(ZONE_TAG))
        .or_else(|| node.and_then(|node| node.meta.label(ZONE_TAG)));
    let mut tags = TextMap::new();
    for (key, value) in &pod.meta.labels {
        if !value.is_empty() && !key.contains("kuma.io/") {
            tags.insert(key.clone(), value.clone());
        }
    }
    let mut set = |key: &str, value: &str| tags.insert(key.into(), value.into());
    set("k8s.kuma.io/namespace", &pod.meta.namespace);
    if let Some(zone) = zone {
        set(ZONE_TAG, zone);
    }
    for label in NODE_LABELS {
        if let Some(value) = node.and_then(|node| node.meta.label(label)) {
            set(label, value);
        }
    }
    let mut meta = pod.meta.clone();
    if let Some(zone) = zone {
        meta.labels.insert(ZONE_TAG.into(), zone.into());
    }
    let mut dataplane = KumaDataplane {
        meta,
        address: pod.address.clone().unwrap_or_default(),
        advertised_address: None,
        inbounds: alloc::vec::Vec::new(),
        gateway: None,
        named: named_by_pod(&pod.meta),
    };
    for service in kube.services.iter().filter(|service| selects(service, pod)) {
        add_inbounds(&mut dataplane, service, pod, &tags);
    }
    if dataplane.inbounds.is_empty() {
        dataplane.inbounds.push(DataplaneInbound {
            port: RESERVED_PORT,
            tags,
            ..DataplaneInbound::default()
        });
    }
    dataplane
}

fn add_inbounds(
    dataplane: &mut KumaDataplane,
    service: &KubeService,
    pod: &KubePod,
    tags: &TextMap,
) {
    let (name, namespace) = (&service.meta.name, &service.meta.namespace);
    for port in &service.ports {
        let Some(number) = pod.port(&port.target) else {
            continue;
        };
        let mut tags = tags.clone();
        let mut set = |key: &str, value: String| tags.insert(key.into(), value);
        set("k8s.kuma.io/service-name", name.clone());
        set("k8s.kuma.io/service-port", format!("{}", port.port));
        set(SERVICE_TAG, format!("{name}_{namespace}_svc_{}", port.port));
        if service.headless {
            set("kuma.io/instance", pod.meta.name.clone());
        }
        dataplane.inbounds.push(DataplaneInbound {
            address: None,
            port: number,
            name: port.name.clone(),
            tags,
            protocol: port.app_protocol.clone(),
            ready: pod.state.is_ready() && pod.address.is_some(),
        });
    }
}

/// Whether a Service sends requests to a Pod.
pub(in crate::mesh::assemble) fn selects(service: &KubeService, pod: &KubePod) -> bool {
    service.external_name.is_none()
        && service.meta.namespace == pod.meta.namespace
        && !service.selector.is_empty()
        && contains(&pod.meta.labels, &service.selector)
}

/// Whether labels or tags contain all wanted ones.
pub(in crate::mesh::assemble) fn contains(labels: &TextMap, wanted: &TextMap) -> bool {
    wanted
        .iter()
        .all(|(key, value)| labels.get(key) == Some(value))
}
