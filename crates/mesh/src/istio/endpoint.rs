//! The endpoints of a service.

use alloc::{collections::BTreeMap, string::String};

use crate::MeshHost;

/// One endpoint before a setting applies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioEndpoint {
    /// Address, weight and health.
    pub host: MeshHost,
    /// `region/zone/sub-zone`; empty if unknown.
    pub locality: String,
    /// The labels of the workload, with the locality labels that Istio adds (see
    /// [`IstioProxy::labels`](super::IstioProxy::labels)).
    pub labels: BTreeMap<String, String>,
    /// Whether it is not ready, as Kubernetes reports. Envoy receives it only for some services
    /// ([`IstioService::sends_unready`](super::IstioService::sends_unready)).
    pub unready: bool,
    /// Whether its proxy accepts mutual TLS, which requests between networks need
    /// (`security.istio.io/tlsMode: istio`).
    pub mtls: bool,
}

impl IstioEndpoint {
    /// An endpoint with weight 1 and without labels.
    #[must_use]
    pub fn new(address: impl Into<String>, locality: impl Into<String>) -> Self {
        Self {
            host: MeshHost::new(address),
            locality: locality.into(),
            labels: BTreeMap::new(),
            unready: false,
            mtls: true,
        }
    }
}
