//! What proxies receive: from the inputs of a point of view to clusters with priority groups, routes,
//! shares, and an Envoy configuration.
//!
//! [`MeshOutbound`] is one point of view. [`traffic_matrices`] compares the zones of a mesh.
//!
//! Destinations come from endpoints, not from policies: a policy for a service that no document
//! describes has no cluster, and a service without a policy has one. The default route of a
//! destination decides which of its clusters exist: a route with backends replaces the
//! destination's own cluster by one for each distinct backend, named as the control plane names it.
//! Weights that a hash policy needs are added when a configuration is written, not before: the
//! report shows what the control plane sends, with its 503s.
//!
//! Writing an Envoy configuration and reading it back for every question would lose what Envoy does
//! not express: dropped endpoints and their reason, the two readings of Kuma, zone names behind an
//! egress.

mod cluster;
mod condition;
mod destination;
#[cfg(feature = "health")]
mod ejection;
mod envoy;
mod hashing;
mod istio;
mod istio_chosen;
mod istio_clusters;
mod istio_gateway;
mod istio_local;
mod istio_networks;
#[cfg(feature = "health")]
mod istio_over_time;
mod istio_routes;
mod istio_rules;
mod kuma;
mod kuma_backends;
mod kuma_balancer;
mod kuma_clusters;
mod kuma_gateway;
#[cfg(feature = "health")]
mod kuma_health;
mod matrix;
mod once;
#[cfg(feature = "health")]
mod over_time;
mod repair;
mod sentences;
mod shares;
mod view;
mod views;
mod written;

pub use cluster::{
    OutboundChoice, OutboundCluster, OutboundLocal, OutboundPanic, OutboundSettings,
};
pub use destination::{OutboundDestination, OutboundRule, OutboundSplit};
pub use envoy::RULE_HEADER;
pub use matrix::{traffic_matrices, traffic_matrices_with};
#[cfg(feature = "health")]
pub use over_time::OutboundHealth;
pub use repair::{AddedLocalityWeight, OutboundForm};
pub use sentences::{assignment_line, drop_reason, row_sentence};
pub use shares::OutboundShares;
pub use view::{MeshKind, MeshOutbound};
pub use views::{MeshZone, left_out_warnings, zone_warnings};
