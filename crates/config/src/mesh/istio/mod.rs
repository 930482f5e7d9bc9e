//! Istio's documents.

mod connection_pool;
mod destination_rule;
mod gateway;
mod locality_lb;
mod mesh_config;
mod mesh_networks;
mod request_changes;
mod route_match;
mod service_entry;
mod traffic_policy;
mod virtual_service;
mod zone_aware;

pub(crate) use destination_rule::read_destination_rule;
pub use destination_rule::{IstioPolicyPart, ReadDestinationRule};
pub(crate) use gateway::read_gateway;
pub use mesh_config::ReadMeshConfig;
pub(crate) use mesh_config::{read_config_map, read_mesh_config, read_operator};
pub use mesh_networks::{IstioMeshNetwork, IstioMeshNetworkGateway};
pub(in crate::mesh) use request_changes::{HeaderChanges, compiled, regex_rewrite};
pub use service_entry::{IstioServiceEntry, IstioServicePort, IstioWorkload};
pub(crate) use service_entry::{read_service_entry, read_workload_entry};
pub use virtual_service::LocatedVirtualService;

use crate::proto::Schema;

/// The objects in Istio's resources of which every field has a class.
pub static ISTIO_MESSAGES: &[&Schema] = &[
    &connection_pool::HTTP,
    &connection_pool::POOL,
    &connection_pool::RETRY_BUDGET,
    &connection_pool::TCP,
    &destination_rule::DESTINATION_RULE,
    &destination_rule::SUBSET,
    &gateway::GATEWAY,
    &gateway::SERVER,
    &gateway::SERVER_PORT,
    &gateway::SERVER_TLS,
    &locality_lb::DISTRIBUTE,
    &locality_lb::FAILOVER,
    &locality_lb::SETTING,
    &mesh_config::MESH_CONFIG,
    &request_changes::HEADERS,
    &request_changes::HEADER_OPERATIONS,
    &request_changes::REGEX_REWRITE,
    &request_changes::RETRIES,
    &request_changes::REWRITE,
    &service_entry::ENDPOINT,
    &service_entry::SERVICE_ENTRY,
    &service_entry::SERVICE_PORT,
    &service_entry::WORKLOAD,
    &traffic_policy::CONSISTENT_HASH,
    &traffic_policy::COOKIE,
    &traffic_policy::LOAD_BALANCER,
    &traffic_policy::MAGLEV,
    &traffic_policy::OUTLIER_DETECTION,
    &traffic_policy::PORT,
    &traffic_policy::PORT_POLICY,
    &traffic_policy::RING_HASH,
    &traffic_policy::TRAFFIC_POLICY,
    &traffic_policy::WARMUP,
    &virtual_service::CONNECTION_ROUTE,
    &virtual_service::DELEGATE,
    &virtual_service::DESTINATION,
    &virtual_service::DIRECT_RESPONSE,
    &virtual_service::ENTRY,
    &virtual_service::HTTP_ROUTE,
    &virtual_service::MATCH,
    &virtual_service::REDIRECT,
    &virtual_service::TCP_MATCH,
    &virtual_service::TLS_MATCH,
    &virtual_service::VIRTUAL_SERVICE,
    &zone_aware::REGION,
    &zone_aware::ZONE_AWARE,
];
pub(in crate::mesh) use virtual_service::MIRROR;
pub(crate) use virtual_service::read_virtual_service;
