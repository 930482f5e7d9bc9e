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
//!
//! `/clusters` is read as text, which costs Envoy a fraction of the JSON: up to 1,000 clusters in
//! one call, in parts of 1 MiB. An unreadable or too large response must not freeze the health of
//! all, so its list is divided, at last to single clusters. Few calls are open, and what has waited
//! longest is next, so none starves.
//!
//! A change of health updates only what it affects; only added or removed hosts rebuild their
//! clusters and the aggregates of these. The sets of a chain step have the same numbers in all
//! clusters, so a changed cluster appends new sets, and once most are unused, everything is built
//! again.
//!
//! A request in progress keeps no snapshot: a stream may be open for hours, and each change of
//! hosts would leave one more snapshot in memory. For its response it needs the settings, its
//! session and the ids of the hosts that exist now.

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
