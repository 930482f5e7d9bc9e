//! The endpoints of a Kubernetes Service: its EndpointSlices, or else the Pods that it selects.

use alloc::vec::Vec;

use spillgate_core::model::HealthStatus;
use spillgate_mesh::{
    MeshHost,
    istio::{IstioEndpoint, IstioService},
};

use super::{
    locality::{augmented, of_node, of_pod},
    networks::accepts_mtls,
    workload::{workload_endpoint, workload_port},
};
use crate::mesh::{
    assemble::kuma::{contains, selects},
    kube::{KubeEndpoint, KubePod, KubeReadiness, KubeService, KubeServicePort, KubeSlicePort},
    kuma::socket,
    read::{KubeDocuments, MeshDocuments},
    value::TextMap,
};

/// The endpoints of one port.
pub(super) fn of_service(
    service: &KubeService,
    istio: &IstioService,
    port: &KubeServicePort,
    documents: &MeshDocuments,
) -> Vec<IstioEndpoint> {
    let kube = &documents.kube;
    let slices = kube.endpoint_slices.iter().filter(|slice| {
        slice.meta.namespace == service.meta.namespace
            && slice.service() == Some(service.meta.name.as_str())
    });
    let mut slices = slices.peekable();
    let mut endpoints = Vec::new();
    if slices.peek().is_none() {
        let pods = kube.pods.iter().filter(|pod| selects(service, pod));
        endpoints.extend(pods.filter_map(|pod| of_selected(service, istio, port, pod, kube)));
    }
    for slice in slices {
        let Some(number) = slice_port(&slice.ports, port) else {
            continue;
        };
        for endpoint in &slice.endpoints {
            let health = match service.publishes_not_ready {
                true => Some(HealthStatus::default()),
                false => health_of(endpoint.state, istio),
            };
            if let (Some(address), Some(health)) = (endpoint.addresses.first(), health) {
                let namespace = &service.meta.namespace;
                let address = socket(address, number);
                let mut found = of_slice(endpoint, namespace, &address, kube);
                found.unready = health == HealthStatus::Unhealthy;
                found.host.health = health;
                endpoints.push(found);
            }
        }
    }
    // The selector of a Service also selects WorkloadEntries (`selectWorkloadEntries`).
    if !service.selector.is_empty() {
        let workloads = documents.istio.workload_entries.iter().filter(|workload| {
            workload.meta.namespace == service.meta.namespace
                && contains(&workload.labels, &service.selector)
        });
        endpoints.extend(workloads.filter_map(|workload| {
            Some(workload_endpoint(workload, workload_port(workload, port)?))
        }));
    }
    endpoints
}

/// The health of an endpoint in EDS; `None` if Envoy never receives it (`endpointHealthStatus`).
fn health_of(state: KubeReadiness, service: &IstioService) -> Option<HealthStatus> {
    match state {
        KubeReadiness::Ready => Some(HealthStatus::default()),
        KubeReadiness::NotReady => Some(HealthStatus::Unhealthy),
        KubeReadiness::Draining => service.keeps_sessions.then_some(HealthStatus::Draining),
        KubeReadiness::Terminating => None,
    }
}

/// The slice's port with the name of the service's port.
fn slice_port(ports: &[KubeSlicePort], port: &KubeServicePort) -> Option<u16> {
    let name = port.name.as_deref().unwrap_or_default();
    let named = ports.iter().find(|slice| slice.name == name);
    named.map(|slice| slice.port)
}

fn of_selected(
    service: &KubeService,
    istio: &IstioService,
    port: &KubeServicePort,
    pod: &KubePod,
    kube: &KubeDocuments,
) -> Option<IstioEndpoint> {
    let address = pod.address.as_ref()?;
    let health = match service.publishes_not_ready {
        true => HealthStatus::default(),
        false => health_of(pod.state, istio)?,
    };
    let locality = of_pod(pod, kube);
    Some(IstioEndpoint {
        host: MeshHost {
            health,
            ..MeshHost::new(socket(address, pod.port(&port.target)?))
        },
        labels: augmented(&pod.meta.labels, &locality, "", &pod.node),
        unready: health == HealthStatus::Unhealthy,
        mtls: accepts_mtls(pod),
        locality,
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
        mtls: pod.is_some_and(accepts_mtls),
        ..IstioEndpoint::new(address, locality)
    }
}
