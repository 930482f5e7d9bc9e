//! Polling of admin interfaces, at the configured intervals.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_config::filter::Poll;

use super::{
    admin::PolledAdmin,
    clock::{AgeClock, Now},
    pollers::Pollers,
    schedule::tick_period,
};
use crate::{
    metrics::PollCounters,
    port::{AdminResponse, HealthPort},
};

/// Polls Envoy's admin interface for all workers, and publishes changes of hosts, health and active
/// requests.
pub struct SharedPoller {
    poller: Poller,
    clock: AgeClock,
    /// How often ticks are needed, if no call is refused.
    period: Duration,
    /// How often ticks were last requested.
    requested: Option<Duration>,
}

/// Polls clusters.
pub(super) struct Poller {
    admins: Vec<PolledAdmin>,
    counters: PollCounters,
}

impl SharedPoller {
    /// The only poller of all workers.
    pub(crate) fn new(port: &impl HealthPort, polls: &[Poll]) -> Self {
        let poller = Poller::new(port, polls, Pollers::One, 0);
        let admins = polls.iter().zip(&poller.admins);
        let periods = admins.map(|(poll, admin)| tick_period(poll.interval, admin.requests()));
        let period = periods.min().unwrap_or(Duration::MAX);
        Self {
            poller,
            clock: AgeClock::new(period),
            period,
            requested: None,
        }
    }

    /// How often [`Self::tick`] must be called from now on; `None` if as often as before.
    pub(crate) fn changed_period(&mut self) -> Option<Duration> {
        let retries = self.poller.admins.iter().filter_map(PolledAdmin::retry);
        let period = retries
            .min()
            .map_or(self.period, |retry| retry.min(self.period));
        let before = self.requested.replace(period);
        self.clock.set_period(period);
        (before != Some(period)).then_some(period)
    }

    /// Sends the polls that are due.
    pub(crate) fn tick(&mut self, port: &impl HealthPort) {
        self.clock.tick();
        // The only poller needs no random delay.
        let now = self.clock.now(port);
        self.poller.tick(port, now, &mut || 0);
    }

    /// Handles the response to a call.
    pub(crate) fn on_response(&mut self, port: &impl HealthPort, response: &AdminResponse<'_>) {
        let now = self.clock.now(port);
        self.poller.on_response(port, now, response);
    }
}

impl Poller {
    /// One of many: each worker polls, unless another worker has just done so.
    pub(super) fn among_others(port: &impl HealthPort, poll: Poll) -> Self {
        Self::new(port, &[poll], Pollers::EveryWorker, 0)
    }

    /// One of many, in place of a silent [`SharedPoller`]. `delay` spreads the first polls of the
    /// workers: nanoseconds.
    pub(super) fn standby(port: &impl HealthPort, poll: Poll, now: Now, delay: u64) -> Self {
        let first = now.at.saturating_add(delay);
        Self::new(port, &[poll], Pollers::Standby, first)
    }

    fn new(port: &impl HealthPort, polls: &[Poll], kind: Pollers, first: u64) -> Self {
        let admins = polls
            .iter()
            .map(|poll| PolledAdmin::new(port, poll, kind, first));
        Self {
            admins: admins.collect(),
            counters: PollCounters::default(),
        }
    }

    /// Sends the polls that are due. The random numbers of `draw` spread the polls of workers.
    pub(super) fn tick(&mut self, port: &impl HealthPort, now: Now, draw: &mut dyn FnMut() -> u64) {
        for admin in &mut self.admins {
            admin.tick(port, now, draw, &mut self.counters);
        }
    }

    /// Handles the response to a call, and sends what has waited for it.
    pub(super) fn on_response(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        response: &AdminResponse<'_>,
    ) {
        let counters = &mut self.counters;
        for admin in &mut self.admins {
            if admin.on_response(port, now, response, counters) {
                return admin.send_waiting(port, now, &mut || 0, counters);
            }
        }
    }
}
