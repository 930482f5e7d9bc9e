//! Kuma: what one proxy can send requests to, as Kuma 2.14 builds it
//! (`pkg/xds/topology/outbound.go`).

mod inputs;
mod named;
mod pod;
mod proxy;
mod reach;
mod services;
mod sources;
mod tags;
mod zone_view;

pub use inputs::KumaInputs;
pub(super) use pod::{contains, selects};
pub use sources::KumaDestinationInput;
