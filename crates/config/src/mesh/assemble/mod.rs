//! From documents to the inputs of a computation: the proxy, its destinations, their endpoints and
//! the policies.

mod endpoint_health;
mod istio;
mod kuma;
mod point_of_view;

pub use endpoint_health::apply_health;
pub(super) use istio::{HOSTNAME, cluster_name, known_hosts};
pub use istio::{IstioInputs, IstioProtocol, IstioServiceInput};
#[cfg(feature = "health")]
pub(in crate::mesh) use kuma::INITIAL_RETRIES;
#[cfg(feature = "health")]
pub use kuma::KumaHealthInputs;
pub use kuma::{KumaDestinationInput, KumaInputs, KumaProtocol};
pub use point_of_view::PointOfView;
