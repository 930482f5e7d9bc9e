//! Kuma: what one proxy can send requests to, as Kuma 2.14 builds it
//! (`pkg/xds/topology/outbound.go`).

mod pod;
mod proxy;
mod services;
mod tags;
mod view;

pub use view::{KumaDestinationView, KumaView};
