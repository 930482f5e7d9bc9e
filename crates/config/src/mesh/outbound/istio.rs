//! What a proxy of Istio receives.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::model::LocalInfo;

use super::{
    MeshKind, MeshOutbound, OutboundLocal,
    istio_clusters::{IstioClusters, zone_of},
    istio_gateway,
    istio_local::local_cluster,
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
    let destinations = match inputs.gateways.as_slice() {
        [] => {
            let services = inputs.services.iter();
            let found = services.map(|service| istio_routes::destination(service, &mut clusters));
            found.collect()
        }
        _ => istio_gateway::destinations(&mut clusters),
    };
    let mut local = LocalInfo::default();
    if let Some((cluster, info)) = local_cluster(inputs) {
        let known = Arc::new(OutboundLocal {
            cluster: cluster.model(),
            info: info.clone(),
        });
        for cluster in &mut clusters.clusters {
            cluster.settings.local = Some(Arc::clone(&known));
        }
        clusters.clusters.push(cluster);
        local = info;
    }
    MeshOutbound {
        local,
        mesh: MeshKind::Istio,
        zone: zone_of(&inputs.proxy.locality),
        destinations,
        clusters: clusters.clusters,
        warnings: clusters.warnings,
    }
}
