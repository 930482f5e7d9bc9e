//! Istio: the services of a mesh and their endpoints.

mod aliases;
mod ambient;
mod distribution;
mod endpoints;
mod gateway_api;
mod gateways;
mod inputs;
mod locality;
mod missing;
mod networks;
mod pod;
mod proxy;
mod self_discovery;
mod service_entries;
mod service_hosts;
mod service_input;
mod services;
mod sources;
mod workload;
mod zone_view;

pub use inputs::IstioInputs;
pub(in crate::mesh) use locality::HOSTNAME;
pub(in crate::mesh) use service_hosts::known_hosts;
pub(in crate::mesh) use service_input::cluster_name;
pub use service_input::{IstioProtocol, IstioServiceInput};
