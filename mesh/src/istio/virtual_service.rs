//! A VirtualService, as far as it decides where requests go.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use spillgate_core::route::RouteMatch;

use super::{
    IstioProxy,
    export::{is_exported, or_default},
    select::has_labels,
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
    /// The gateways that use it (`spec.gateways`); `mesh` and an empty list mean sidecars.
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
}

/// One route with its destinations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioRoute {
    /// The name of the route; may be empty.
    pub name: String,
    /// Its conditions (`match`), of which one must hold; empty matches everything.
    pub matches: Vec<IstioRouteMatch>,
    /// What it does with requests.
    pub action: IstioRouteAction,
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
    /// The gateways; empty means those of the VirtualService.
    pub gateways: Vec<String>,
    /// The labels of the proxy (`sourceLabels`).
    pub source_labels: BTreeMap<String, String>,
    /// The namespace of the proxy (`sourceNamespace`); empty means any.
    pub source_namespace: String,
    /// The port of the service; `None` means any.
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
}

/// The name of all sidecars in a list of gateways.
const SIDECARS: &str = "mesh";

// === impl IstioVirtualService ===

impl IstioVirtualService {
    /// Whether the sidecar of a proxy uses it.
    #[must_use]
    pub fn is_for(&self, proxy: &IstioProxy) -> bool {
        is_exported(&self.export_to, &self.namespace, &proxy.namespace)
            && names_sidecars(&self.gateways)
    }
}

// === impl IstioRouteMatch ===

impl IstioRouteMatch {
    /// Whether requests of a proxy to a port can meet the entry.
    #[must_use]
    pub fn is_for(&self, proxy: &IstioProxy, port: u16) -> bool {
        names_sidecars(&self.gateways)
            && has_labels(&self.source_labels, &proxy.labels)
            && (self.source_namespace.is_empty()
                || self.source_namespace == or_default(&proxy.namespace))
            && self.port.is_none_or(|wanted| wanted == port)
    }
}

// === impl IstioRouteAction ===

impl Default for IstioRouteAction {
    fn default() -> Self {
        Self::Forward(Vec::new())
    }
}

fn names_sidecars(gateways: &[String]) -> bool {
    gateways.is_empty() || gateways.iter().any(|gateway| gateway == SIDECARS)
}
