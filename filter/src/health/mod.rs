//! Live health: one asks Envoy's admin, all others look at what it has published.
//!
//! [`poller`] asks and [`target`] publishes what changed, under keys and in a form that [`board`]
//! knows; [`live`] looks there on every tick of a worker and lays it over the configuration.

mod board;
mod live;
mod poller;
mod target;

pub(crate) use live::{Live, Trust};
pub(crate) use poller::Poller;
