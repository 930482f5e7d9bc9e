//! Times of health checks and ejections that a configuration determines: when failed hosts are noticed, and when they
//! return.

pub(crate) mod detectors;
pub(crate) mod ejections;
pub(crate) mod retries;
pub(crate) mod standby;
pub(crate) mod thresholds;
