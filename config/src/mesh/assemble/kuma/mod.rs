//! Kuma: what one proxy can send requests to, as Kuma 2.14 builds it
//! (`pkg/xds/topology/outbound.go`).

mod inputs;
mod pod;
mod proxy;
mod services;
mod tags;

pub use inputs::{KumaDestinationInput, KumaInputs};
pub(super) use pod::{contains, selects};
