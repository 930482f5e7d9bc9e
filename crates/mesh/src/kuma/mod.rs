//! Kuma's MeshLoadBalancingStrategy, and which policies of other kinds apply.
//!
//! Documents: [`KumaPolicy`], [`KumaRoute`]. The point of view: [`KumaProxy`]. The destination:
//! [`KumaDestination`] and its endpoints, [`KumaEndpoint`].

mod assign;
mod cache;
mod conf;
mod destination;
mod difference;
mod document;
mod egress;
mod endpoint;
mod entry;
mod gateway;
mod gateway_host;
mod groups;
mod hashing;
mod locality;
mod merge;
mod meta;
mod number;
mod proxy;
mod reading;
mod route;
mod route_split;
mod row;
mod rules;
mod select;
mod split;
mod split_name;
mod threshold;
mod validate;
mod weights;

pub use assign::{KumaView, assignment};
pub use cache::{AssignmentCache, CachedPolicy};
pub use conf::{KumaConf, KumaLeastRequest, KumaLoadBalancer, KumaMaglev, KumaRingHash};
pub use destination::{KumaDestination, KumaDestinationKind};
pub use difference::{KumaDifference, kuma_differences};
pub use document::{KumaMeta, KumaPolicy, KumaTargetRef, KumaTo};
pub use egress::{EgressLocality, egress_locality};
pub use endpoint::KumaEndpoint;
pub use entry::entry_conf;
pub use gateway::{KumaGateway, KumaListener, select_gateway};
pub use gateway_host::{KumaGatewayHost, gateway_hosts, gateway_service_route};
pub use hashing::{KumaHashCookie, KumaHashPolicy};
pub use locality::{
    KumaAffinityTag, KumaCrossZone, KumaFailover, KumaFailoverTo, KumaLocalZone,
    KumaLocalityAwareness,
};
pub use merge::{KumaEffectiveConf, KumaMerge, KumaOrigin, effective_conf, effective_route_conf};
pub use number::KumaNumber;
pub use proxy::{KumaInbound, KumaProxy, KumaProxyKind};
pub use route::{KumaBackendRef, KumaRoute, KumaRouteKind, KumaRouteRule, KumaRouteTo};
pub use route_split::{KumaRouteSplit, route_splits};
pub use row::KumaRow;
pub use rules::KumaLocalityRules;
pub use select::selects_destination;
pub use split::{select_endpoints, split_assignment};
pub use split_name::split_cluster_name;
pub use threshold::{DEFAULT_KUMA_FACTOR, KumaThreshold};
pub use validate::{kuma_warnings, validate_kuma_conf, validate_kuma_policy};
pub use weights::{MOST_UNWEIGHTED_TAGS, default_weights};
