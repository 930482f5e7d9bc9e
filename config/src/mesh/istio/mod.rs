//! Istio's documents.

mod destination_rule;
mod locality_lb;
mod mesh_config;
mod service_entry;
mod traffic_policy;
mod virtual_service;

pub(crate) use destination_rule::read_destination_rule;
pub use destination_rule::{IstioPolicyPart, ReadDestinationRule};
pub use mesh_config::ReadMeshConfig;
pub(crate) use mesh_config::{read_config_map, read_mesh_config, read_operator};
pub use service_entry::{IstioServiceEntry, IstioServicePort, IstioWorkload};
pub(crate) use service_entry::{read_service_entry, read_workload_entry};
pub use virtual_service::ReadVirtualService;
pub(crate) use virtual_service::read_virtual_service;
