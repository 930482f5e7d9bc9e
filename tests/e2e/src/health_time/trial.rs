//! A cluster with its settings, its hosts' scripts and its load.

use std::time::Duration;

use spillgate_health::check::{ActiveCheck, HealthCheckKind};
use spillgate_health::outlier::OutlierDetection;

use crate::scripted::HostScript;

/// How long the scripts of a batch run.
pub const SCRIPT: Duration = Duration::from_secs(6);

/// One random cluster.
#[derive(Debug, Clone)]
pub struct HealthTrial {
    /// Its number in the run.
    pub number: u64,
    /// The health checks, without or with all log entries.
    pub checks: Vec<ActiveCheck>,
    /// The outlier detection.
    pub outlier: Option<OutlierDetection>,
    /// The hosts.
    pub hosts: Vec<HostScript>,
    /// `common_lb_config.healthy_panic_threshold`.
    pub panic_threshold: u32,
    /// `common_lb_config.update_merge_window`, if it is not the default.
    pub merge_window: Option<Duration>,
    /// The requests.
    pub load: Option<TrialLoad>,
}

/// A client that sends one request after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialLoad {
    /// From a response to the next request.
    pub pause: Duration,
    /// The timeout of the route.
    pub timeout: Duration,
    /// `num_retries` after a 5xx response or a failure without a response.
    pub retries: u32,
}

impl HealthTrial {
    /// The name of the cluster.
    #[must_use]
    pub fn name(&self) -> String {
        format!("t{}", self.number)
    }

    /// The name of the cluster whose log shows the times of the sweeps: same interval, one host without faults.
    #[must_use]
    pub fn beacon(&self) -> String {
        format!("b{}", self.number)
    }
}

/// Whether the event log of a checker has an entry for each check.
pub(super) const fn logs_all(check: &ActiveCheck) -> bool {
    check.always_log_health_check_failures && check.always_log_health_check_success
}

/// Whether a host records the checks: those of HTTP arrive as requests.
pub(super) const fn is_recorded(check: &ActiveCheck) -> bool {
    matches!(check.kind, HealthCheckKind::Http(_))
}
