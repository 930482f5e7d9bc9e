//! Istio: the services of a mesh and their endpoints.

mod endpoints;
mod inputs;
mod locality;
mod proxy;
mod service_entries;
mod service_input;
mod services;

pub use inputs::IstioInputs;
pub use service_input::IstioServiceInput;
