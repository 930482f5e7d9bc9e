//! Priorities: gaps, failover that never happens, panic mode after one lost host.

pub(crate) mod failover;
pub(crate) mod gap;
pub(crate) mod panic;
