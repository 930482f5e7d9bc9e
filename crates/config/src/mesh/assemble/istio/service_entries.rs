//! The services of ServiceEntries.

use alloc::vec::Vec;

use spillgate_mesh::{
    MeshHost,
    istio::{IstioEndpoint, IstioResolution, IstioService},
};

use super::{
    distribution::distribution,
    locality::{augmented, of_pod},
    networks::accepts_mtls,
    service_input::{IstioProtocol, IstioServiceInput, cluster_name, is_http2},
    services::keeps_sessions,
    workload::workload_endpoint,
};
use crate::mesh::{
    assemble::kuma::contains,
    istio::{IstioServiceEntry, IstioServicePort, IstioWorkload},
    kuma::socket,
    read::MeshDocuments,
};

/// One service for each host and port of each ServiceEntry.
pub(super) fn services(documents: &MeshDocuments) -> Vec<IstioServiceInput> {
    let mut services = Vec::new();
    for entry in &documents.istio.service_entries {
        for host in &entry.hosts {
            let service = IstioService {
                host: host.clone(),
                namespace: entry.meta.namespace.clone(),
                selector: entry.workload_selector.clone(),
                traffic_distribution: distribution(None, &entry.meta, documents),
                resolution: entry.resolution,
                export_to: entry.export_to.clone(),
                node_local: false,
                keeps_sessions: keeps_sessions(&entry.meta),
                target_ports: entry
                    .ports
                    .iter()
                    .filter_map(|port| Some((port.number, port.target?)))
                    .collect(),
            };
            for port in &entry.ports {
                services.push(IstioServiceInput {
                    aliases: Vec::new(),
                    cluster: cluster_name(host, port.number, None),
                    port: port.number,
                    port_name: port.name.clone(),
                    is_http2: is_http2(port.protocol.as_deref(), &port.name),
                    protocol: IstioProtocol::of_port(port.protocol.as_deref(), &port.name),
                    endpoints: endpoints(entry, &service, port, documents),
                    service: service.clone(),
                });
            }
        }
    }
    services
}

fn endpoints(
    entry: &IstioServiceEntry,
    service: &IstioService,
    port: &IstioServicePort,
    documents: &MeshDocuments,
) -> Vec<IstioEndpoint> {
    let number = port.target.unwrap_or(port.number);
    let selector = &entry.workload_selector;
    let resolves = entry.resolution == IstioResolution::Dns;
    if selector.is_empty() {
        if entry.endpoints.is_empty() && entry.resolution == IstioResolution::Dns {
            // The host itself is the name to resolve.
            return Vec::from([IstioEndpoint::new(socket(&service.host, number), "")]);
        }
        let workloads = entry.endpoints.iter();
        return workloads
            .filter(|of| resolves || of.has_ip() || of.address.starts_with("unix://"))
            .map(|workload| of_workload(workload, port, documents))
            .collect();
    }
    let namespace = &entry.meta.namespace;
    let workloads = documents.istio.workload_entries.iter();
    let mut found: Vec<IstioEndpoint> = workloads
        .filter(|workload| {
            workload.healthy
                && (resolves || workload.has_ip())
                && workload.meta.namespace == *namespace
                && contains(&workload.labels, selector)
        })
        .map(|workload| of_workload(workload, port, documents))
        .collect();
    for pod in &documents.kube.pods {
        let selected = pod.meta.namespace == *namespace && contains(&pod.meta.labels, selector);
        // Only ready Pods are instances of a ServiceEntry (`PodCache.onEvent`), also where Services send
        // others.
        if let (Some(address), true, true) = (&pod.address, selected, pod.state.is_ready()) {
            let locality = of_pod(pod, documents);
            found.push(IstioEndpoint {
                host: MeshHost::new(socket(address, number)),
                labels: augmented(&pod.meta.labels, &locality, "", &pod.node),
                locality,
                unready: false,
                mtls: accepts_mtls(pod),
            });
        }
    }
    found
}

fn of_workload(
    workload: &IstioWorkload,
    port: &IstioServicePort,
    documents: &MeshDocuments,
) -> IstioEndpoint {
    let number = workload.port(&port.name).or(port.target);
    let number = number.unwrap_or(port.number);
    workload_endpoint(workload, number, documents.istio_version)
}
