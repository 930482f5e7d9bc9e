//! Istio's `localityLbSetting`.
//!
//! Documents: [`IstioDestinationRule`], [`IstioMeshConfig`], [`IstioService`],
//! [`IstioVirtualService`]. The point of view: [`IstioProxy`]. Endpoints: [`IstioEndpoint`].

mod assign;
mod connection_pool;
mod destination_rule;
mod distribute;
mod endpoint;
mod export;
mod failover;
mod failover_priority;
mod gateway;
mod hashing;
mod locality;
mod locality_lb;
mod merge;
mod networks;
mod proxy;
mod resolution;
mod retry;
mod route;
mod select;
mod service;
mod setting;
mod traffic_policy;
mod validate;
mod version;
mod virtual_service;
mod zone_aware;

pub use assign::{IstioView, istio_assignment};
pub use connection_pool::{IstioConnectionPool, IstioRetryBudget};
pub use destination_rule::{
    IstioDestinationRule, IstioLoadBalancer, IstioOutlierDetection, IstioPortPolicy, IstioSubset,
    IstioTrafficPolicy, IstioWarmup,
};
pub use endpoint::IstioEndpoint;
pub use export::{KUBE_DOMAIN, full_host, kube_host};
pub use gateway::{
    IstioGateway, IstioServer, IstioServerProtocol, SIDECARS, common_hosts, full_gateway,
};
pub use hashing::{IstioConsistentHash, IstioHashCookie};
pub use locality::{locality_matches, parse_locality};
pub use locality_lb::{IstioDistribute, IstioFailover, IstioLocalityLbSetting, IstioShare};
pub use merge::IstioMergedRule;
pub use networks::{IstioNetworkGateway, IstioNetworkGateways, IstioReachable, NETWORK_LABEL};
pub use proxy::IstioProxy;
pub use resolution::IstioResolution;
pub use retry::{IstioRetries, istio_retry_policy};
pub use route::{IstioRoute, IstioRouteAction, IstioRouteMatch, IstioWeightedDestination};
pub use select::{destination_rule, has_labels};
pub use service::{IstioMeshConfig, IstioService};
pub use setting::{IstioEffectiveSetting, IstioSettingSource, IstioSettings};
pub use traffic_policy::IstioPolicy;
pub use validate::validate_istio_setting;
pub use version::IstioVersion;
pub use virtual_service::IstioVirtualService;
pub use zone_aware::IstioZoneAwareLb;
