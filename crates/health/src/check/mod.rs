//! Active health checks: settings, results, and the state of each checker of a host.

mod checker;
mod event;
mod host_checks;
mod intervals;
mod outcome;
mod removal;
mod settings;
mod statuses;

pub use checker::{CheckDue, CheckFinished, Checker, HostAtStart};
pub use event::{CheckEvents, CheckFailureType, CheckLogEvent};
pub use host_checks::{HostCheckDue, HostCheckFinished, HostChecks};
pub use intervals::{CheckIntervals, CheckTransition, IntervalLimits};
pub use outcome::{CheckVerdict, HealthCheckOutcome};
pub use removal::stays_after_removal;
pub use settings::{ActiveCheck, HealthCheckKind};
pub use statuses::HttpStatuses;
