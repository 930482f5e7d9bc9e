//! Health checks and outlier detection over time, against the real Envoy.
//!
//! A [`HealthTrial`] is a cluster with random settings and hosts that follow a script. Envoy's event logs, its log of
//! attempts and the records of the hosts are read; then the recorded results of checks and requests go through the
//! state machines of `spillgate-health`, which must write the very entries of Envoy's logs: none missing, none more.
//! [`run`] does that for as many trials as wanted. When checks are sent is compared with a control in the same Envoy.

mod attempts;
mod batch;
mod bootstrap;
mod control;
mod event_log;
mod expected;
mod generate;
mod host_order;
mod lateness;
mod options;
mod order_set;
mod record;
mod replay_checks;
mod replay_outliers;
mod run;
mod saved_batch;
mod search;
mod sweeps;
mod timeline;
mod trial;
mod trial_record;

pub use attempts::LoggedAttempt;
pub use batch::run_batch;
pub use event_log::{LoggedCheck, LoggedOutlier};
pub use generate::trial;
pub use lateness::{Lateness, LatenessBound};
pub use options::{HealthTimeOptions, TrialSabotage, parse};
pub use replay_checks::{PassedCheck, ReplayedChecks, replay_checks};
pub use replay_outliers::{ReplayedOutliers, replay_outliers};
pub use run::{HealthSummary, replay, run};
pub use trial::{HealthTrial, SCRIPT, TrialLoad};
pub use trial_record::TrialRecord;

pub use crate::scripted::{HostPhase, HostScript, ReceivedCall, ScriptedAnswer};
