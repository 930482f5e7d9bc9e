//! Polls by a worker itself while the poller of all workers is silent.
//!
//! Envoy never restarts the virtual machine of a bootstrap extension. So the poller leaves a sign
//! of life with its interval for each poll that is due, also while polls fail, and workers poll if
//! they see none for three intervals. Published responses are no sign of life, because the workers
//! publish too.

use core::time::Duration;

use spillgate_config::filter::Poll;

use super::{
    clock::{LastEvent, Now, nanoseconds},
    poller::Poller,
    shared::SharedHostState,
};
use crate::port::{AdminResponse, HealthPort};

/// The poller is silent after this many intervals without a sign of life.
const SILENT_INTERVALS: u64 = 3;

/// Watches the poller of one cluster, and replaces it while it is silent.
pub(super) struct Standby {
    poller: LastEvent,
    /// When the poller becomes silent, unless it gives another sign of life.
    silent_at: u64,
    /// The polls of this worker, while the poller is silent.
    own: Option<Poller>,
}

impl Standby {
    /// The poller has three of these intervals to start.
    pub(super) fn new(now: Now, interval: Duration) -> Self {
        Self {
            poller: LastEvent::default(),
            silent_at: silent_at(now.at, nanoseconds(interval)),
            own: None,
        }
    }

    /// Sends due polls if the poller is silent. Returns whether it is.
    pub(super) fn tick(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        state: &SharedHostState,
        poll: impl FnOnce() -> Poll,
        draw: &mut dyn FnMut() -> u64,
    ) -> bool {
        if now.at >= self.silent_at
            && let Some(sign) = state.poller(port)
        {
            let at = self.poller.observe(sign.stamp, now);
            self.silent_at = silent_at(at, sign.interval);
        }
        if now.at < self.silent_at {
            self.own = None;
            return false;
        }
        let own = self.own.get_or_insert_with(|| {
            let poll = poll();
            let delay = draw().checked_rem(nanoseconds(poll.interval));
            Poller::standby(port, poll, now, delay.unwrap_or(0))
        });
        own.tick(port, now, draw);
        true
    }

    /// Handles the response to a call.
    pub(super) fn on_response(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        response: &AdminResponse<'_>,
    ) {
        if let Some(own) = &mut self.own {
            own.on_response(port, now, response);
        }
    }
}

const fn silent_at(at: u64, interval: u64) -> u64 {
    at.saturating_add(interval.saturating_mul(SILENT_INTERVALS))
}
