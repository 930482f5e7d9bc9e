//! The wiring of a Spillgate filter: what its decisions need to reach the load balancer.

mod attempts;
pub(crate) mod cluster;
pub(crate) mod criteria;
pub(crate) mod delivery;
pub(crate) mod polls;
pub(crate) mod steered_health;
