//! Routes that split requests over several destinations (MeshHTTPRoute, MeshTCPRoute).

use alloc::{string::String, vec::Vec};

use super::{KumaMeta, KumaTargetRef};

/// A MeshHTTPRoute or MeshTCPRoute, as far as it splits requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaRoute {
    /// Name, mesh and labels.
    pub meta: KumaMeta,
    /// Which of the two.
    pub kind: KumaRouteKind,
    /// The proxies that use the route (`spec.targetRef`); `None` selects the whole mesh.
    pub target_ref: Option<KumaTargetRef>,
    /// The rules for each destination (`spec.to`).
    pub to: Vec<KumaRouteTo>,
}

/// The kind of a route.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum KumaRouteKind {
    /// MeshHTTPRoute.
    #[default]
    Http,
    /// MeshTCPRoute.
    Tcp,
}

/// One entry of `spec.to` of a route.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaRouteTo {
    /// The destination of the requests (`targetRef`).
    pub target_ref: KumaTargetRef,
    /// The host names of the requests, for built-in gateways (`hostnames`); empty means all.
    pub hostnames: Vec<String>,
    /// The rules, in order (`rules`).
    pub rules: Vec<KumaRouteRule>,
}

/// One rule of a route.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaRouteRule {
    /// A short text of the `matches`, for messages; empty matches everything.
    pub matches: String,
    /// Where the requests go (`default.backendRefs`); empty keeps the destination.
    pub backend_refs: Vec<KumaBackendRef>,
    /// The status with which the proxy answers instead (a filter `requestRedirect`).
    pub responds: Option<u16>,
}

/// One entry of `backendRefs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KumaBackendRef {
    /// The destination.
    pub target_ref: KumaTargetRef,
    /// The share of the requests relative to the other entries, 0 to 2^32-1; default 1.
    pub weight: u32,
    /// The port of a MeshService (`port`).
    pub port: Option<u16>,
}

impl Default for KumaBackendRef {
    fn default() -> Self {
        Self {
            target_ref: KumaTargetRef::default(),
            weight: 1,
            port: None,
        }
    }
}
