//! The hosts: their live health, their active requests, and how current both are.
//!
//! One poller asks Envoy's admin interface, and every worker reads its answer from shared data.
//! [`poller`] polls and [`polled`] publishes what changed in [`shared`] data; [`live`] reads that on
//! every tick of a worker, for each [`watched`] cluster, and lays it over the configuration;
//! [`freshness`] says how current it is. An environment that learns of hosts in another way passes
//! a [`HostChange`] to [`Balancing::update`](crate::Balancing::update).

mod active;
mod change;
mod freshness;
mod live;
mod polled;
mod poller;
mod shared;
mod watched;

pub(crate) use active::{Active, ActiveRequest};
pub use change::{HostChange, Hosts};
pub(crate) use freshness::Freshness;
pub(crate) use live::Live;
pub use poller::Poller;
