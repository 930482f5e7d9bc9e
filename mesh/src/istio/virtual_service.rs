//! A VirtualService, as far as it splits requests.

use alloc::{string::String, vec::Vec};

/// One VirtualService.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioVirtualService {
    /// The name (`metadata.name`).
    pub name: String,
    /// The namespace; empty means `default`.
    pub namespace: String,
    /// The hosts (`spec.hosts`).
    pub hosts: Vec<String>,
    /// The routes (`spec.http`, then `spec.tls`, then `spec.tcp`), in order.
    pub routes: Vec<IstioRoute>,
}

/// One route with its destinations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioRoute {
    /// The name of the route, or a short text of its `match`, for messages; empty matches
    /// everything.
    pub matches: String,
    /// The destinations (`route`), in order.
    pub destinations: Vec<IstioWeightedDestination>,
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
