//! Envoy's local cluster in a proxy of Istio: the hosts of its own workload.

use alloc::vec::Vec;

use spillgate_core::model::{LeastRequestConfig, LocalInfo, Policy, ZoneAware};
use spillgate_mesh::{
    MeshAssignment,
    istio::{
        IstioEffectiveSetting, IstioEndpoint, IstioResolution, IstioView, istio_assignment,
        parse_locality,
    },
};

use super::{OutboundCluster, OutboundSettings, istio_clusters::zone_of};
use crate::mesh::IstioInputs;

/// The name of the cluster (`local_cluster_name` in Istio's bootstrap).
const NAME: &str = "local_cluster";

/// The cluster, and what Envoy knows of the proxy; `None` if it does not learn its own workload.
pub(super) fn local_cluster(inputs: &IstioInputs) -> Option<(OutboundCluster, LocalInfo)> {
    let endpoints: &[IstioEndpoint] = inputs.own_workload.as_deref()?;
    let view = IstioView {
        proxy: &inputs.proxy,
        effective: &IstioEffectiveSetting::default(),
        outlier_detection: None,
        resolution: IstioResolution::Static,
        sends_unready: false,
        subset: false,
        version: inputs.version,
    };
    // The bootstrap sets a minimum of one host, and no panic threshold.
    let assignment = MeshAssignment {
        zone_aware: Some(ZoneAware {
            min_cluster_size: 1,
            ..ZoneAware::DEFAULT
        }),
        ..istio_assignment(view, endpoints)
    };
    let cluster = OutboundCluster {
        name: NAME.into(),
        exists: true,
        hosts: endpoints.iter().map(|of| of.host.clone()).collect(),
        zones: endpoints.iter().map(|of| zone_of(&of.locality)).collect(),
        without_policy: assignment.clone(),
        assignment,
        differences: Vec::new(),
        settings: OutboundSettings {
            policy: Policy::LeastRequest(LeastRequestConfig::default()),
            ..OutboundSettings::default()
        },
        policies: Vec::new(),
        #[cfg(feature = "health")]
        health: super::OutboundHealth::default(),
    };
    let local = LocalInfo {
        locality: Some(parse_locality(&inputs.proxy.locality)),
        cluster: Some(NAME.into()),
    };
    Some((cluster, local))
}
