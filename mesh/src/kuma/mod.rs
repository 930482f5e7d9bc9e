//! Kuma's MeshLoadBalancingStrategy.
//!
//! Documents: [`KumaPolicy`], [`KumaRoute`]. The point of view: [`KumaProxy`]. The destination:
//! [`KumaDestination`] and its endpoints, [`KumaEndpoint`].

mod conf;
mod destination;
mod difference;
mod document;
mod endpoint;
mod hashing;
mod locality;
mod proxy;
mod route;

pub use conf::{
    KumaConf, KumaLeastRequest, KumaLoadBalancer, KumaMaglev, KumaNumber, KumaRingHash,
};
pub use destination::{KumaDestination, KumaDestinationKind};
pub use difference::{KumaDifference, KumaRow};
pub use document::{KumaMeta, KumaPolicy, KumaTargetRef, KumaTo};
pub use endpoint::KumaEndpoint;
pub use hashing::{KumaHashCookie, KumaHashPolicy};
pub use locality::{
    KumaAffinityTag, KumaCrossZone, KumaFailover, KumaFailoverTo, KumaLocalZone,
    KumaLocalityAwareness,
};
pub use proxy::{KumaInbound, KumaProxy, KumaProxyKind};
pub use route::{KumaBackendRef, KumaRoute, KumaRouteKind, KumaRouteRule, KumaRouteTo};
