//! Kuma's documents, in their Universal and Kubernetes forms.

mod conf;
mod dataplane;
mod gateway;
mod hashing;
#[cfg(feature = "health")]
mod health;
mod load_balancer;
mod load_balancing_strategy;
mod mesh_service;
mod mesh_settings;
mod named;
mod number;
mod route;
mod schemas;
mod tags;
mod target_ref;
mod zone_proxy;

pub use dataplane::{DataplaneGateway, DataplaneInbound, KumaDataplane};
pub(crate) use dataplane::{read_dataplane, socket};
pub(crate) use gateway::read_gateway;
#[cfg(feature = "health")]
pub(crate) use health::read_health_policy;
#[cfg(feature = "health")]
pub use health::{
    KumaHealthDocuments, KumaHealthPolicy, KumaHostSelection, KumaSetting, KumaSettings, KumaValue,
};
pub use load_balancing_strategy::ReadKumaPolicy;
pub(crate) use load_balancing_strategy::read_policy;
pub use mesh_service::{
    KumaMeshService, KumaMultiZoneService, MeshServicePort, MeshServiceSelector,
};
pub(crate) use mesh_service::{read_mesh_service, read_multi_zone_service};
pub(crate) use mesh_settings::read_mesh;
pub use mesh_settings::{KumaMeshSettings, MeshServicesMode};
pub use named::NamedDestinations;
pub(in crate::mesh) use named::named_by_pod;
pub use route::ReadKumaRoute;
pub(crate) use route::read_route;
#[cfg(feature = "health")]
pub use schemas::KUMA_HEALTH_MESSAGES;
pub use schemas::KUMA_MESSAGES;
pub use tags::{SERVICE_TAG, ZONE_TAG};
pub use zone_proxy::{AvailableService, KumaZoneAddress, KumaZoneEgress, KumaZoneIngress};
pub(crate) use zone_proxy::{read_zone_address, read_zone_egress, read_zone_ingress};
