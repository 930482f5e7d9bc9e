//! Services and the configuration of the mesh.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
};

use super::{
    IstioLocalityLbSetting, IstioOutlierDetection, IstioResolution, IstioRetries, IstioVersion,
    IstioZoneAwareLb, export::is_exported, setting::is_distribution,
};

/// A service: a Kubernetes Service or a ServiceEntry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioService {
    /// The host name, for example `shop.default.svc.cluster.local`.
    pub host: String,
    /// The namespace; empty means `default`.
    pub namespace: String,
    /// The labels of its endpoints (`spec.selector`, `spec.workloadSelector.labels`).
    pub selector: BTreeMap<String, String>,
    /// `spec.trafficDistribution`, or the annotation `networking.istio.io/traffic-distribution` of the
    /// service or, since Istio 1.30, of its namespace, as written: `PreferSameZone`, `PreferClose`,
    /// `PreferSameNode` or another value.
    pub traffic_distribution: Option<String>,
    /// How Envoy finds the endpoints.
    pub resolution: IstioResolution,
    /// The namespaces whose proxies see it (`spec.exportTo`, or the annotation
    /// `networking.istio.io/exportTo`): names, `.` for its own one, `*` for all; empty means all.
    pub export_to: BTreeSet<String>,
    /// Whether proxies only reach endpoints on their own node (`internalTrafficPolicy: Local`).
    pub node_local: bool,
    /// Whether its clients keep sessions by cookie (label `istio.io/persistent-session`): Envoy then
    /// receives draining endpoints, too (`filterIstioEndpoint`).
    pub keeps_sessions: bool,
    /// Without resolution: the ports that replace those of the original destinations
    /// (`spec.ports.targetPort`), by port.
    pub target_ports: BTreeMap<u16, u16>,
}

impl IstioService {
    /// Whether Envoy receives endpoints that are not ready, as unhealthy ones
    /// (`SupportsUnhealthyEndpoints`). Panic mode is then off. Since Istio 1.31, each service without
    /// a positive `minHealthPercent` of its outlier detection sends them
    /// (`PILOT_AUTO_SEND_UNHEALTHY_ENDPOINTS`, on by default).
    #[must_use]
    pub fn sends_unready(
        &self,
        version: IstioVersion,
        outlier_detection: Option<&IstioOutlierDetection>,
    ) -> bool {
        let distribution = self.traffic_distribution.as_deref();
        let percent = outlier_detection.and_then(|of| of.min_health_percent);
        distribution.is_some_and(is_distribution)
            || (version >= IstioVersion::V1_31 && percent.unwrap_or(0) <= 0)
    }

    /// Whether proxies in a namespace see the service.
    #[must_use]
    pub fn is_exported_to(&self, namespace: &str) -> bool {
        is_exported(&self.export_to, &self.namespace, namespace)
    }
}

/// The MeshConfig, as far as it affects localities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IstioMeshConfig {
    /// `localityLbSetting`; `None` if it is null. Without a MeshConfig document, locality load
    /// balancing is enabled.
    pub locality_lb_setting: Option<IstioLocalityLbSetting>,
    /// `zoneAwareLbSetting`, since Istio 1.31.
    pub zone_aware_lb_setting: Option<IstioZoneAwareLb>,
    /// The retries of routes without their own (`defaultHttpRetryPolicy`); `None` means Istio's.
    pub retries: Option<IstioRetries>,
}

impl Default for IstioMeshConfig {
    /// The defaults of Istio (`mesh.DefaultMeshConfig`): an enabled setting without rules.
    fn default() -> Self {
        Self {
            locality_lb_setting: Some(IstioLocalityLbSetting {
                enabled: Some(true),
                ..IstioLocalityLbSetting::default()
            }),
            zone_aware_lb_setting: None,
            retries: None,
        }
    }
}
