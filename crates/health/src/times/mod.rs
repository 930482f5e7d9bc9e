//! How long detection, recovery and ejection take, as formulas of settings.

mod detection;
mod ejection;
mod sum;

pub use detection::{HostFailure, TimeRange, detection_time, recovery_time};
pub use ejection::{EjectionTime, consecutive_requests, ejection_time};
pub use sum::{TimeSum, TimeTerm};
