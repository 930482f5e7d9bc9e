//! The services of ServiceEntries.

use alloc::vec::Vec;

use spillgate_core::model::Weight;
use spillgate_mesh::{
    MeshHost,
    istio::{IstioEndpoint, IstioResolution, IstioService},
};

use super::{
    locality::{augmented, labeled, of_pod},
    service_input::{IstioServiceInput, cluster_name},
    services::traffic_distribution,
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
            for port in &entry.ports {
                services.push(IstioServiceInput {
                    cluster: cluster_name(host, port.number, None),
                    port: port.number,
                    endpoints: endpoints(entry, host, port, documents),
                    service: IstioService {
                        host: host.clone(),
                        namespace: entry.meta.namespace.clone(),
                        selector: entry.workload_selector.clone(),
                        traffic_distribution: traffic_distribution(None, &entry.meta),
                        resolution: entry.resolution,
                    },
                });
            }
        }
    }
    services
}

fn endpoints(
    entry: &IstioServiceEntry,
    host: &str,
    port: &IstioServicePort,
    documents: &MeshDocuments,
) -> Vec<IstioEndpoint> {
    if entry.resolution == IstioResolution::Passthrough {
        return Vec::new();
    }
    let selector = &entry.workload_selector;
    if selector.is_empty() {
        if entry.endpoints.is_empty() && entry.resolution == IstioResolution::Dns {
            // The host itself is the name to resolve.
            return Vec::from([IstioEndpoint::new(socket(host, port.target), "")]);
        }
        let workloads = entry.endpoints.iter();
        return workloads
            .map(|workload| of_workload(workload, port))
            .collect();
    }
    let namespace = &entry.meta.namespace;
    let workloads = documents.istio.workload_entries.iter();
    let mut found: Vec<IstioEndpoint> = workloads
        .filter(|workload| {
            workload.meta.namespace == *namespace && contains(&workload.labels, selector)
        })
        .map(|workload| of_workload(workload, port))
        .collect();
    for pod in &documents.kube.pods {
        let selected = pod.meta.namespace == *namespace && contains(&pod.meta.labels, selector);
        if let Some(address) = pod.address.as_ref().filter(|_| selected && pod.ready) {
            let locality = of_pod(pod, &documents.kube);
            found.push(IstioEndpoint {
                labels: augmented(&pod.meta.labels, &locality, "", &pod.node),
                ..IstioEndpoint::new(socket(address, port.target), locality)
            });
        }
    }
    found
}

fn of_workload(workload: &IstioWorkload, port: &IstioServicePort) -> IstioEndpoint {
    let own = workload.ports.iter().find(|(name, _)| *name == port.name);
    let number = own.map_or(port.target, |(_, number)| *number);
    // A path of a Unix domain socket has no port.
    let address = match workload.address.strip_prefix("unix://") {
        Some(path) => path.into(),
        None => socket(&workload.address, number),
    };
    let locality = labeled(&workload.labels).unwrap_or_else(|| workload.locality.clone());
    IstioEndpoint {
        host: MeshHost {
            weight: Weight::new(workload.weight).unwrap_or_default(),
            ..MeshHost::new(address)
        },
        labels: augmented(&workload.labels, &locality, &workload.network, ""),
        locality,
    }
}
