//! Kuma: what one proxy can send requests to, as Kuma 2.14 builds it
//! (`pkg/xds/topology/outbound.go`).

#[cfg(feature = "health")]
mod health;
mod inputs;
mod named;
mod pod;
mod protocol;
mod proxy;
mod reach;
mod services;
mod sources;
mod tags;
mod zone_view;

#[cfg(feature = "health")]
pub(in crate::mesh) use health::INITIAL_RETRIES;
#[cfg(feature = "health")]
pub use health::KumaHealthInputs;
pub use inputs::KumaInputs;
pub(super) use pod::{contains, selects};
pub use protocol::KumaProtocol;
pub use sources::KumaDestinationInput;
