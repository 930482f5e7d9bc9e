//! The hosts: their live health, their active requests, and how current both are.
//!
//! One poller polls Envoy's admin interface, and every worker reads the result from shared data.
//! The [`poller`] has the polls of each [`admin`]: a [`query`] is sent for a [`batch`] of [`names`] on
//! its [`schedule`]. The [`responses`] say how each [`polled`] cluster is, and its [`publisher`]
//! publishes changes in [`shared`] data. On every tick of a worker, [`live`] reads the changes of
//! each [`watched`] cluster and applies them to the configured hosts; [`freshness`] is how current
//! they are. While the poller is silent, the workers poll on [`standby`]. All of them measure time
//! by the [`clock`] of ages. An environment that learns about hosts in another way passes a
//! [`HostChange`] to [`Balancing::update`](crate::Balancing::update).

mod active;
mod admin;
mod batch;
mod change;
mod clock;
mod failures;
mod freshness;
mod labels;
mod live;
mod live_settings;
mod metadata;
mod names;
mod polled;
mod poller;
mod pollers;
mod publisher;
mod query;
mod responses;
mod schedule;
mod sending;
mod shared;
mod standby;
mod watched;

pub use active::ActiveRequestCounts;
pub(crate) use active::{Active, ActiveRequest};
pub use change::{HostChange, Hosts};
pub(crate) use freshness::Freshness;
pub(crate) use live::Live;
pub(crate) use live_settings::LiveSettings;
pub use poller::SharedPoller;
