//! Live health: one asks Envoy's admin, all others look at what it has published.
//!
//! [`poller`] asks and [`target`] publishes what changed, under keys and in a form that [`board`]
//! knows; [`live`] looks there on every tick of a worker, for each cluster that is [`watched`], and
//! lays it over the configuration; [`trust`] says how far that can be relied on.

mod board;
mod live;
mod poller;
mod target;
mod trust;
mod watched;

pub(crate) use live::Live;
pub(crate) use poller::Poller;
pub(crate) use trust::Trust;
