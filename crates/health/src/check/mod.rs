//! Active health checks: settings, results, and the state of each checker of a host.

mod checker;
mod event;
mod host_checks;
mod interval_limits;
mod intervals;
mod outcome;
mod removal;
mod settings;
mod statuses;
mod verdict;

pub use checker::{CheckDue, CheckFinished, Checker, HostAtStart};
pub use event::{CheckEvents, CheckFailureType, CheckLogEvent};
pub use host_checks::{HostCheckDue, HostCheckFinished, HostChecks};
pub use interval_limits::IntervalLimits;
pub use intervals::{CheckIntervals, CheckTransition};
pub use outcome::HealthCheckOutcome;
pub use removal::stays_after_removal;
pub use settings::{ActiveCheck, HealthCheckKind};
pub use statuses::HttpStatuses;
pub use verdict::CheckVerdict;
