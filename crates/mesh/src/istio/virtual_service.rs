//! A VirtualService, as far as it decides where requests go.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use super::{
    IstioProxy, IstioRoute,
    export::{is_exported, or_default},
    gateway::SIDECARS,
};

/// One VirtualService.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioVirtualService {
    /// The name (`metadata.name`).
    pub name: String,
    /// The namespace; empty means `default`.
    pub namespace: String,
    /// The hosts (`spec.hosts`). A delegate has none.
    pub hosts: Vec<String>,
    /// The gateways that use it (`spec.gateways`), as [`full_gateway`](super::full_gateway) names them;
    /// an empty list means sidecars.
    pub gateways: Vec<String>,
    /// The namespaces whose proxies use it (`spec.exportTo`): names, `.` for its own one, `*` for all;
    /// empty means all.
    pub export_to: BTreeSet<String>,
    /// When it was created (`metadata.creationTimestamp`), as written; empty if the document does not
    /// say.
    pub created: String,
    /// The routes of HTTP requests (`spec.http`), in order.
    pub http: Vec<IstioRoute>,
    /// The routes of connections (`spec.tls`, then `spec.tcp`), in order.
    pub connections: Vec<IstioRoute>,
    /// Whether it is a route of the Gateway API: backends that do not exist answer 500, and only
    /// proxies in its namespace or in that of the host use it.
    pub is_gateway_api: bool,
}

// === impl IstioVirtualService ===

impl IstioVirtualService {
    /// Whether a proxy uses it as a gateway: [`SIDECARS`], or `NAMESPACE/NAME`.
    #[must_use]
    pub fn is_for(&self, proxy: &IstioProxy, gateway: &str) -> bool {
        let named = match self.gateways.as_slice() {
            [] => gateway == SIDECARS,
            gateways => gateways.iter().any(|name| name == gateway),
        };
        named && is_exported(&self.export_to, &self.namespace, &proxy.namespace)
    }

    /// Its place among those of a proxy: lower ones come first, then older ones
    /// (`VirtualServicesForGateway`).
    #[must_use]
    pub fn precedence(&self, proxy: &IstioProxy) -> u8 {
        let (own, of_proxy) = (or_default(&self.namespace), or_default(&proxy.namespace));
        let is_public = self.export_to.is_empty() || self.export_to.contains("*");
        match (is_public, own == of_proxy) {
            (false, true) => 0,
            (false, false) => 1,
            (true, true) if self.is_gateway_api => 2,
            (true, _) => 3,
        }
    }

    /// Whether a sidecar may use its routes for a service of a namespace: those of the Gateway API only
    /// if they are in that namespace, or in the one of the proxy.
    #[must_use]
    pub fn is_for_service_of(&self, namespace: &str, proxy: &IstioProxy) -> bool {
        let own = or_default(&self.namespace);
        !self.is_gateway_api || own == or_default(namespace) || own == or_default(&proxy.namespace)
    }
}
