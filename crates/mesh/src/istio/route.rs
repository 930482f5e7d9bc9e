//! One route of a VirtualService: conditions, destinations and changes of requests.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use spillgate_core::route::{HeaderMutations, RequestRewrite, RouteMatch};

use super::{IstioProxy, IstioRetries, export::or_default, select::has_labels};

/// One route with its destinations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioRoute {
    /// The name of the route; may be empty.
    pub name: String,
    /// Its conditions (`match`), of which one must hold; empty matches everything.
    pub matches: Vec<IstioRouteMatch>,
    /// What it does with requests.
    pub action: IstioRouteAction,
    /// The headers that requests gain and lose (`headers.request`).
    pub headers: HeaderMutations,
    /// How it rewrites path and host (`rewrite`, and the host in `headers.request`); `None` without
    /// settings.
    pub rewrite: Option<RequestRewrite>,
    /// Its retries; `None` means those of the mesh.
    pub retries: Option<IstioRetries>,
    /// The timeout of its requests (`timeout`) in milliseconds; `None` or 0 for none.
    pub timeout_ms: Option<u64>,
}

/// What a route does with requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IstioRouteAction {
    /// Forwards them to one of these destinations, in order (`route`).
    Forward(Vec<IstioWeightedDestination>),
    /// Answers them with this status (`redirect`, `directResponse`).
    Respond(u16),
    /// Uses the routes of another VirtualService (`delegate`).
    Delegate {
        /// Its name.
        name: String,
        /// Its namespace; empty means that of the route.
        namespace: String,
    },
}

/// One entry of `match`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioRouteMatch {
    /// The gateways, as in the VirtualService; empty means those of the VirtualService.
    pub gateways: Vec<String>,
    /// The labels of the proxy (`sourceLabels`).
    pub source_labels: BTreeMap<String, String>,
    /// The namespace of the proxy (`sourceNamespace`); empty means any.
    pub source_namespace: String,
    /// The port of the service, or of the gateway; `None` means any.
    pub port: Option<u16>,
    /// The conditions on the request, as a short text; empty matches everything.
    pub condition: String,
    /// The same conditions, as those of a route of Envoy; `None` if one of them is not converted.
    pub request: Option<RouteMatch>,
}

/// One entry of `route`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioWeightedDestination {
    /// The host (`destination.host`).
    pub host: String,
    /// The subset of a DestinationRule (`destination.subset`).
    pub subset: Option<String>,
    /// The port number (`destination.port.number`).
    pub port: Option<u16>,
    /// The share of the requests relative to the other entries (`weight`). A single destination may
    /// omit it.
    pub weight: Option<u32>,
    /// The headers that requests gain and lose (`headers.request`).
    pub headers: HeaderMutations,
    /// The host of the requests (`headers.request`), unless the route rewrites it.
    pub authority: Option<String>,
}

// === impl IstioRouteMatch ===

impl IstioRouteMatch {
    /// Whether requests of a proxy, as a gateway, to a port can meet the entry. Gateways of its own
    /// replace the conditions on the proxy (`sourceMatchHTTP`).
    #[must_use]
    pub fn is_for(&self, proxy: &IstioProxy, gateway: &str, port: u16) -> bool {
        let source = match self.gateways.as_slice() {
            [] => {
                has_labels(&self.source_labels, &proxy.labels)
                    && (self.source_namespace.is_empty()
                        || self.source_namespace == or_default(&proxy.namespace))
            }
            gateways => gateways.iter().any(|name| name == gateway),
        };
        source && self.port.is_none_or(|wanted| wanted == port)
    }
}

// === impl IstioRouteAction ===

impl Default for IstioRouteAction {
    fn default() -> Self {
        Self::Forward(Vec::new())
    }
}
