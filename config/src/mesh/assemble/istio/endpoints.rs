//! The endpoints of a Kubernetes Service: its EndpointSlices, or else the Pods that it selects.

use alloc::vec::Vec;

use spillgate_mesh::istio::IstioEndpoint;

use super::locality::{augmented, of_node, of_pod};
use crate::mesh::{
    assemble::kuma::selects,
    kube::{KubeEndpoint, KubePod, KubeService, KubeServicePort, KubeSlicePort},
    kuma::socket,
    read::KubeDocuments,
    value::TextMap,
};

/// The endpoints of one port.
pub(super) fn of_service(
    service: &KubeService,
    port: &KubeServicePort,
    kube: &KubeDocuments,
) -> Vec<IstioEndpoint> {
    let slices = kube.endpoint_slices.iter().filter(|slice| {
        slice.meta.namespace == service.meta.namespace
            && slice.service() == Some(service.meta.name.as_str())
    });
    let mut slices = slices.peekable();
    if slices.peek().is_none() {
        let pods = kube.pods.iter().filter(|pod| selects(service, pod));
        return pods
            .filter_map(|pod| of_selected(service, port, pod, kube))
            .collect();
    }
    let mut endpoints = Vec::new();
    for slice in slices {
        let Some(number) = slice_port(&slice.ports, port) else {
            continue;
        };
        let usable = slice
            .endpoints
            .iter()
            .filter(|endpoint| endpoint.ready || service.publishes_not_ready);
        for endpoint in usable {
            if let Some(address) = endpoint.addresses.first() {
                let namespace = &service.meta.namespace;
                endpoints.push(of_slice(
                    endpoint,
                    namespace,
                    &socket(address, number),
                    kube,
                ));
            }
        }
    }
    endpoints
}

/// The slice's port with the name of the service's port.
fn slice_port(ports: &[KubeSlicePort], port: &KubeServicePort) -> Option<u16> {
    let name = port.name.as_deref().unwrap_or_default();
    let named = ports.iter().find(|slice| slice.name == name);
    named.map(|slice| slice.port)
}

fn of_selected(
    service: &KubeService,
    port: &KubeServicePort,
    pod: &KubePod,
    kube: &KubeDocuments,
) -> Option<IstioEndpoint> {
    let address = pod.address.as_ref()?;
    if !pod.ready && !service.publishes_not_ready {
        return None;
    }
    let locality = of_pod(pod, kube);
    let labels = augmented(&pod.meta.labels, &locality, "", &pod.node);
    Some(IstioEndpoint {
        labels,
        ..IstioEndpoint::new(socket(address, pod.port(&port.target)?), locality)
    })
}

/// The endpoint of a slice: with the labels of its Pod, and the locality of Pod or Node.
fn of_slice(
    endpoint: &KubeEndpoint,
    namespace: &str,
    address: &str,
    kube: &KubeDocuments,
) -> IstioEndpoint {
    let name = endpoint.pod.as_deref().unwrap_or_default();
    let mut pods = kube.pods.iter();
    let pod = pods.find(|pod| pod.meta.namespace == namespace && pod.meta.name == name);
    let node_name = endpoint.node.as_deref().unwrap_or_default();
    let node = kube.nodes.iter().find(|node| node.meta.name == node_name);
    let of_pod = pod
        .map(|pod| of_pod(pod, kube))
        .filter(|own| !own.is_empty());
    // Without a Node document only the zone is known.
    let zone = || endpoint.zone.as_ref().map(|zone| alloc::format!("/{zone}"));
    let locality = of_pod
        .or_else(|| node.map(of_node))
        .or_else(zone)
        .unwrap_or_default();
    let none = TextMap::new();
    let own = pod.map_or(&none, |pod| &pod.meta.labels);
    IstioEndpoint {
        labels: augmented(own, &locality, "", node_name),
        ..IstioEndpoint::new(address, locality)
    }
}
