//! Outlier detection: settings, results of requests, and the state of a cluster.

mod attempt;
mod detector;
mod eject;
mod event;
mod host;
mod result;
mod settings;
mod sweep;

pub use attempt::TimeoutsInRow;
pub use detector::{Detector, SweepMode};
pub use event::{EjectionAction, OutlierEjectionType, OutlierEvent, OutlierRates};
pub use host::{BackedOff, HostState, OutlierCounters};
pub use result::RequestResult;
pub use settings::OutlierDetection;
