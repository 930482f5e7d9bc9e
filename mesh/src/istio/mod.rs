//! Istio's `localityLbSetting`.
//!
//! Documents: [`IstioDestinationRule`], [`IstioMeshConfig`], [`IstioService`],
//! [`IstioVirtualService`]. The point of view: [`IstioProxy`]. Endpoints: [`IstioEndpoint`].

mod destination_rule;
mod endpoint;
mod hashing;
mod locality_lb;
mod proxy;
mod service;
mod virtual_service;

pub use destination_rule::{
    IstioDestinationRule, IstioLoadBalancer, IstioOutlierDetection, IstioPortPolicy, IstioSubset,
    IstioTrafficPolicy, IstioWarmup,
};
pub use endpoint::IstioEndpoint;
pub use hashing::{IstioConsistentHash, IstioHashCookie};
pub use locality_lb::{IstioDistribute, IstioFailover, IstioLocalityLbSetting, IstioShare};
pub use proxy::IstioProxy;
pub use service::{IstioMeshConfig, IstioResolution, IstioService};
pub use virtual_service::{IstioRoute, IstioVirtualService, IstioWeightedDestination};
