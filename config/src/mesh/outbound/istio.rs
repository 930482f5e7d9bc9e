//! What a proxy of Istio receives.

use alloc::vec::Vec;

use super::{
    MeshKind, MeshOutbound,
    istio_clusters::{IstioClusters, zone_of},
    istio_routes,
};
use crate::mesh::IstioInputs;

/// The clusters and destinations of these inputs.
pub(super) fn outbound(inputs: &IstioInputs) -> MeshOutbound {
    let mut clusters = IstioClusters {
        inputs,
        clusters: Vec::new(),
        warnings: inputs.warnings.clone(),
    };
    let destinations = inputs
        .services
        .iter()
        .map(|service| istio_routes::destination(service, &mut clusters));
    let destinations = destinations.collect();
    MeshOutbound {
        mesh: MeshKind::Istio,
        zone: zone_of(&inputs.proxy.locality),
        destinations,
        clusters: clusters.clusters,
        warnings: clusters.warnings,
    }
}
