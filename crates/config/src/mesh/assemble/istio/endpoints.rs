//! The endpoints of a Kubernetes Service: its EndpointSlices, or else the Pods that it selects.

use alloc::{collections::BTreeSet, vec::Vec};

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
        endpoints.extend(pods.filter_map(|pod| of_selected(service, istio, port, pod, documents)));
    }
    // An endpoint can be in two slices (`endpointSliceCache.get`).
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for slice in slices.filter(|slice| !slice.of_names) {
        let Some(number) = slice_port(&slice.ports, port) else {
            continue;
        };
        for endpoint in &slice.endpoints {
            let health = if service.publishes_not_ready {
                Some(HealthStatus::default())
            } else {
                health_of(endpoint.state, istio)
            };
            for address in &endpoint.addresses {
                let pod = match pod_of(endpoint, &service.meta.namespace, address, kube) {
                    Some(pod) if pod.state == KubeReadiness::Ended => continue,
                    pod => pod,
                };
                if !seen.insert(address) {
                    continue;
                }
                let Some(health) = health else { continue };
                let mut found = of_slice(endpoint, pod, &socket(address, number), documents);
                found.unready = health == HealthStatus::Unhealthy;
                found.host.health = health;
                endpoints.push(found);
            }
        }
    }
    // The selector of a Service also selects WorkloadEntries (`selectWorkloadEntries`).
    if !service.selector.is_empty() {
        let workloads = documents.istio.workload_entries.iter().filter(|workload| {
            workload.healthy
                && workload.has_ip()
                && workload.meta.namespace == service.meta.namespace
                && contains(&workload.labels, &service.selector)
        });
        endpoints.extend(workloads.filter_map(|workload| {
            let number = workload_port(workload, port)?;
            Some(workload_endpoint(workload, number, documents.istio_version))
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
        KubeReadiness::Terminating | KubeReadiness::Ended => None,
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
    documents: &MeshDocuments,
) -> Option<IstioEndpoint> {
    let address = pod.address.as_ref()?;
    if pod.state == KubeReadiness::Ended {
        return None;
    }
    let health = if service.publishes_not_ready {
        HealthStatus::default()
    } else {
        health_of(pod.state, istio)?
    };
    let locality = of_pod(pod, documents);
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

/// The Pod of an endpoint: that which it names, or else the one with its address.
fn pod_of<'d>(
    endpoint: &KubeEndpoint,
    namespace: &str,
    address: &str,
    kube: &'d KubeDocuments,
) -> Option<&'d KubePod> {
    let mut pods = kube.pods.iter();
    match endpoint.pod.as_deref() {
        Some(name) => pods.find(|pod| pod.meta.namespace == namespace && pod.meta.name == name),
        None => pods.find(|pod| {
            pod.state != KubeReadiness::Ended && pod.address.as_deref() == Some(address)
        }),
    }
}

/// The endpoint of a slice: its labels and locality are those of its Pod (`NewEndpointBuilder`). If no
/// document has the Pod that it names, the locality is that of the Node or zone that it names.
fn of_slice(
    endpoint: &KubeEndpoint,
    pod: Option<&KubePod>,
    address: &str,
    documents: &MeshDocuments,
) -> IstioEndpoint {
    if let Some(pod) = pod {
        let locality = of_pod(pod, documents);
        return IstioEndpoint {
            labels: augmented(&pod.meta.labels, &locality, "", &pod.node),
            mtls: accepts_mtls(pod),
            ..IstioEndpoint::new(address, locality)
        };
    }
    if endpoint.pod.is_none() {
        return IstioEndpoint::new(address, "");
    }
    let name = endpoint.node.as_deref().unwrap_or_default();
    let mut nodes = documents.kube.nodes.iter();
    let node = nodes.find(|node| node.meta.name == name);
    let zone = || endpoint.zone.as_ref().map(|zone| alloc::format!("/{zone}"));
    let locality = node.map(of_node).or_else(zone).unwrap_or_default();
    IstioEndpoint {
        labels: augmented(&TextMap::new(), &locality, "", name),
        ..IstioEndpoint::new(address, locality)
    }
}
