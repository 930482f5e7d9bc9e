//! What was recorded of a trial.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::attempts::LoggedAttempt;
use super::event_log::{LoggedCheck, LoggedOutlier};
use super::trial::HealthTrial;
use crate::scripted::ReceivedCall;

/// Everything about one trial.
#[derive(Debug, Clone)]
pub struct TrialRecord {
    /// The trial.
    pub trial: HealthTrial,
    /// The addresses of its hosts.
    pub addresses: Vec<SocketAddr>,
    /// The log of each checker.
    pub checks: Vec<Vec<LoggedCheck>>,
    /// Whether these logs have the HTTP status of failures.
    pub has_statuses: bool,
    /// The log of outlier detection, of this cluster.
    pub outliers: Vec<LoggedOutlier>,
    /// The times of sweeps that the beacon shows.
    pub sweeps: Vec<Duration>,
    /// The attempts, in the order of their ends.
    pub attempts: Vec<LoggedAttempt>,
    /// What each host received.
    pub calls: Vec<Vec<ReceivedCall>>,
    /// The folder with all logs of its batch.
    pub logs: PathBuf,
}
