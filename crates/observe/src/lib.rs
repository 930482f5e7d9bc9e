//! Compares the requests that the hosts of a running Envoy receive with their predicted shares.
//!
//! A [`EnvoyReading`] is one read of Envoy's admin interface: the hosts and request counters of
//! `/clusters`, and the counters of the filter from `/stats`. A [`ObservedWindow`] is a sequence of
//! readings without a change of hosts, health or processes, so that differences of counters are requests
//! under one prediction. [`ObservedShare`] is a part of these requests with its 95 % confidence band, and
//! says whether a predicted share [agrees](ObservedShare::agreement).
//!
//! The crate does no load balancing: predictions come from the engine. It reads no clock, opens no
//! connections and prints nothing.
//!
//! Requests before a change belong to another prediction, so they do not count. Wilson's interval
//! is used, because priorities often have shares near 0 or 100 %, where the normal approximation is
//! wrong. The confidence applies to all shares of a command together: with 95 % for each, a proxy
//! with 40 hosts would differ by chance in most runs. `observe --config` takes only the health from
//! Envoy: a comparison must find a changed weight.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

mod band;
mod filter_counters;
mod live_cluster;
mod reading;
mod share;
mod window;

pub use band::ConfidenceBand;
pub use filter_counters::{DecisionCount, FilterCounters};
pub use live_cluster::LiveCluster;
pub use reading::{ClusterReading, EnvoyReading};
pub use share::{Agreement, ObservedShare};
pub use window::{ObservedWindow, WindowStart};
