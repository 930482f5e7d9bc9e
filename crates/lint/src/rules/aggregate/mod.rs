//! Aggregate clusters: their member list, their settings, and failover between members.

pub(crate) mod failover;
pub(crate) mod members;
pub(crate) mod settings;
