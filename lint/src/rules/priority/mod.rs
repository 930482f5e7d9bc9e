//! Priorities: gaps, failover that nothing triggers, panic after one lost host.

pub(crate) mod failover;
pub(crate) mod gap;
pub(crate) mod panic;
