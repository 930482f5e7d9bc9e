//! Failed polls: counted one by one, logged at most once a minute.

use super::clock::{LogPause, Now};

/// The failures of one kind of polls of one cluster.
#[derive(Default)]
pub(super) struct PollFailures {
    /// Whether the last logged event was a failure.
    failing: bool,
    pause: LogPause,
}

impl PollFailures {
    /// Logs the first failure in a row, with pauses. `what` is the polled state, and the cluster
    /// that reaches the admin.
    pub(super) fn failed(&mut self, now: Now, what: &str, why: &str) {
        if !self.failing && self.pause.may_log(now) {
            self.failing = true;
            log::warn!("spillgate: poll of {what} failed; keeping last known state: {why}");
        }
    }

    /// Logs the first success after a logged failure.
    pub(super) fn succeeded(&mut self, what: &str) {
        if core::mem::take(&mut self.failing) {
            log::info!("spillgate: poll of {what} succeeded again");
        }
    }
}
