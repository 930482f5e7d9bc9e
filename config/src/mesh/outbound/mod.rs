//! What proxies receive: from the inputs of a point of view to clusters with priority groups, routes,
//! shares, and an Envoy configuration.
//!
//! [`MeshOutbound`] is one point of view. [`traffic_matrices`] compares the zones of a mesh.

mod cluster;
mod condition;
mod destination;
mod envoy;
mod hashing;
mod istio;
mod istio_chosen;
mod istio_clusters;
mod istio_gateway;
mod istio_local;
mod istio_networks;
mod istio_routes;
mod istio_rules;
mod kuma;
mod kuma_backends;
mod kuma_balancer;
mod kuma_clusters;
mod kuma_gateway;
mod matrix;
mod once;
mod repair;
mod sentences;
mod shares;
mod view;
mod views;
mod written;

pub use cluster::{OutboundChoice, OutboundCluster, OutboundLocal, OutboundSettings};
pub use destination::{OutboundDestination, OutboundRule, OutboundSplit};
pub use envoy::RULE_HEADER;
pub use matrix::{traffic_matrices, traffic_matrices_with};
pub use repair::{OutboundForm, RepairedWeight};
pub use sentences::{assignment_line, drop_reason, row_sentence};
pub use shares::OutboundShares;
pub use view::{MeshKind, MeshOutbound};
pub use views::{MeshZone, left_out_warnings, zone_warnings};
