//! Services and the configuration of the mesh.

use alloc::{collections::BTreeMap, string::String};

use super::IstioLocalityLbSetting;

/// A service: a Kubernetes Service or a ServiceEntry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioService {
    /// The host name, for example `shop.default.svc.cluster.local`.
    pub host: String,
    /// The namespace; empty means `default`.
    pub namespace: String,
    /// The labels of its endpoints (`spec.selector`, `spec.workloadSelector.labels`).
    pub selector: BTreeMap<String, String>,
    /// `spec.trafficDistribution`, or the annotation `networking.istio.io/traffic-distribution`, as
    /// written: `PreferSameZone`, `PreferClose`, `PreferSameNode` or another value.
    pub traffic_distribution: Option<String>,
    /// How Envoy finds the endpoints.
    pub resolution: IstioResolution,
}

/// How Envoy finds the endpoints of a service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum IstioResolution {
    /// From the control plane (EDS): Kubernetes services and `STATIC` ServiceEntries.
    #[default]
    Static,
    /// From DNS (`STRICT_DNS`): ServiceEntries with `resolution: DNS`. `failoverPriority` does not
    /// apply.
    Dns,
    /// None (`resolution: NONE`): the original destination of the request.
    Passthrough,
}

/// The MeshConfig, as far as it affects localities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IstioMeshConfig {
    /// `localityLbSetting`; `None` if it is null. Without a MeshConfig document, locality load
    /// balancing is enabled.
    pub locality_lb_setting: Option<IstioLocalityLbSetting>,
}

impl Default for IstioMeshConfig {
    /// The defaults of Istio (`mesh.DefaultMeshConfig`): an enabled setting without rules.
    fn default() -> Self {
        Self {
            locality_lb_setting: Some(IstioLocalityLbSetting {
                enabled: Some(true),
                ..IstioLocalityLbSetting::default()
            }),
        }
    }
}
