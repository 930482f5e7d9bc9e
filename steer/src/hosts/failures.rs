//! Failed polls: counted one by one, logged at most once a minute.

use alloc::format;

use crate::port::{HealthPort, LogLevel};

/// The shortest time between two warnings: nanoseconds.
const LOG_PAUSE: u64 = 60_000_000_000;

/// The failures of one kind of polls of one cluster.
#[derive(Default)]
pub(super) struct PollFailures {
    /// Whether the last logged event was a failure.
    failing: bool,
    /// When a failure was last logged: nanoseconds since the Unix epoch.
    logged_at: u64,
}

impl PollFailures {
    /// Logs the first failure in a row, at most once per [`LOG_PAUSE`]. `what` is the polled state,
    /// and the cluster that reaches the admin.
    pub(super) fn failed(&mut self, port: &impl HealthPort, what: &str, why: &str) {
        let now = port.now();
        let pauses = self.logged_at > 0 && now < self.logged_at.saturating_add(LOG_PAUSE);
        if !self.failing && !pauses {
            self.failing = true;
            self.logged_at = now;
            let message =
                format!("spillgate: poll of {what} failed; keeping last known state: {why}");
            port.log(LogLevel::Warn, &message);
        }
    }

    /// Logs the first success after a logged failure.
    pub(super) fn succeeded(&mut self, port: &impl HealthPort, what: &str) {
        if core::mem::take(&mut self.failing) {
            let message = format!("spillgate: poll of {what} succeeded again");
            port.log(LogLevel::Info, &message);
        }
    }
}
