//! One endpoint as Envoy receives it, without its locality.

use alloc::string::String;

use spillgate_core::model::{HealthStatus, Weight};

/// The fields of an endpoint that locality policies keep unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeshHost {
    /// `ip:port` or `[ipv6]:port`, as Envoy prints it.
    pub address: String,
    /// The load-balancing weight, 1 to 2^32-1; default 1.
    pub weight: Weight,
    /// The health of the endpoint (`LbEndpoint.health_status`); default unknown, which counts as
    /// healthy.
    pub health: HealthStatus,
}

impl MeshHost {
    /// A host with weight 1 and unknown health.
    #[must_use]
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            ..Self::default()
        }
    }

    /// The order of endpoints: address as text, then port.
    pub(crate) fn order(&self) -> (&str, u32) {
        let parts = self.address.rsplit_once(':');
        let parsed = parts.and_then(|(host, port)| Some((host, port.parse().ok()?)));
        parsed.unwrap_or((&self.address, 0))
    }
}
