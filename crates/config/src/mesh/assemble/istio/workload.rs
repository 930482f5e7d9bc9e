//! The endpoints of WorkloadEntries.

use spillgate_core::model::Weight;
use spillgate_mesh::{
    MeshHost,
    istio::{IstioEndpoint, IstioVersion},
};

use super::{
    locality::{augmented, of_workload},
    networks::{MUTUAL, TLS_MODE},
};
use crate::mesh::{istio::IstioWorkload, kube::KubeServicePort, kuma::socket, port::TargetPort};

/// The port of a selected workload: its port with the name of the Service's port, or else the number of the Service
/// (`findServiceTargetPort`).
pub(super) fn workload_port(workload: &IstioWorkload, port: &KubeServicePort) -> Option<u16> {
    match &port.target {
        TargetPort::Number(number) => {
            let named = workload.port(port.name.as_deref().unwrap_or_default());
            Some(named.unwrap_or(*number))
        }
        TargetPort::Name(name) => workload.port(name),
    }
}

/// The endpoint of a workload at a port.
pub(super) fn workload_endpoint(
    workload: &IstioWorkload,
    number: u16,
    version: IstioVersion,
) -> IstioEndpoint {
    // A path of a Unix domain socket has no port.
    let address = match workload.address.strip_prefix("unix://") {
        Some(path) => path.into(),
        None => socket(&workload.address, number),
    };
    let locality = of_workload(workload, version);
    IstioEndpoint {
        host: MeshHost {
            weight: Weight::new(workload.weight).unwrap_or_default(),
            ..MeshHost::new(address)
        },
        labels: augmented(&workload.labels, &locality, &workload.network, ""),
        locality,
        unready: false,
        mtls: match workload.labels.get(TLS_MODE) {
            Some(mode) => mode == MUTUAL,
            None => !workload.service_account.is_empty(),
        },
    }
}
