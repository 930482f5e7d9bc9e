//! Priorities: gaps, failover that never happens, ejections without effect, panic mode after one lost
//! host.

pub(crate) mod drop_overload;
pub(crate) mod failover;
pub(crate) mod gap;
pub(crate) mod kept_loads;
pub(crate) mod outlier;
pub(crate) mod panic;
pub(crate) mod retries;
