//! Polling of admin interfaces, at the configured intervals.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_config::filter::Poll;

use super::{
    clock::{AgeClock, Now, nanoseconds},
    polled::{PolledCluster, Query},
    schedule::{Schedule, tick_period},
};
use crate::{
    metrics::PollCounters,
    port::{AdminResponse, HealthPort},
};

/// How soon a refused call is sent again; the pause doubles up to the poll interval.
const FIRST_RETRY: Duration = Duration::from_millis(100);

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
    clusters: Vec<ScheduledCluster>,
    kind: Pollers,
    counters: PollCounters,
}

/// One cluster, and when its polls are due.
struct ScheduledCluster {
    cluster: PolledCluster,
    interval: Duration,
    hosts: Schedule,
    /// When the metadata of endpoints are polled; `None`: with the hosts, if a worker needs them.
    endpoints: Option<Schedule>,
    /// How soon calls are sent again that the environment refused: at startup, the cluster of the
    /// admin may not be ready. `None` after accepted calls.
    retry: Option<Duration>,
}

/// Which pollers share an admin interface.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pollers {
    /// Only this one.
    One,
    /// Every worker: a poll is skipped if another worker has just received a response.
    EveryWorker,
    /// Every worker, in place of the only poller.
    Standby,
}

impl SharedPoller {
    /// The only poller of all workers.
    pub(crate) fn new(port: &impl HealthPort, polls: &[Poll]) -> Self {
        let periods = polls
            .iter()
            .map(|poll| tick_period(poll.interval, poll.targets.len()));
        let period = periods.min().unwrap_or(Duration::MAX);
        Self {
            poller: Poller::new(port, polls, Pollers::One),
            clock: AgeClock::new(period),
            period,
            requested: None,
        }
    }

    /// How often [`Self::tick`] must be called from now on; `None` if as often as before.
    pub(crate) fn changed_period(&mut self) -> Option<Duration> {
        let retries = self.poller.clusters.iter().filter_map(|of| of.retry);
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
    pub(crate) fn on_response(&mut self, port: &impl HealthPort, response: &AdminResponse) {
        let now = self.clock.now(port);
        self.poller.on_response(port, now, response);
    }
}

impl Poller {
    /// One of many: each worker polls, unless another worker has just done so.
    pub(super) fn among_others(port: &impl HealthPort, poll: Poll) -> Self {
        Self::new(port, &[poll], Pollers::EveryWorker)
    }

    /// One of many, in place of a silent [`SharedPoller`]. `delay` spreads the first polls of the
    /// workers: nanoseconds.
    pub(super) fn standby(port: &impl HealthPort, poll: Poll, now: Now, delay: u64) -> Self {
        let mut poller = Self::new(port, &[poll], Pollers::Standby);
        for of in &mut poller.clusters {
            of.hosts.start_at(now.at.saturating_add(delay));
        }
        poller
    }

    fn new(port: &impl HealthPort, polls: &[Poll], kind: Pollers) -> Self {
        let clusters = polls.iter().flat_map(|poll| {
            let count = poll.targets.len();
            let names = poll.targets.iter().enumerate();
            let metadata_interval = poll.metadata_interval.filter(|of| *of != poll.interval);
            names.map(move |(number, name)| ScheduledCluster {
                cluster: PolledCluster::new(port, poll, name),
                interval: poll.interval,
                hosts: Schedule::new(poll.interval, number, count),
                endpoints: metadata_interval.map(|interval| Schedule::new(interval, number, count)),
                retry: None,
            })
        });
        Self {
            clusters: clusters.collect(),
            kind,
            counters: PollCounters::default(),
        }
    }

    /// Sends the polls that are due. The random numbers of `draw` spread the polls of workers.
    pub(super) fn tick(&mut self, port: &impl HealthPort, now: Now, draw: &mut dyn FnMut() -> u64) {
        for of in &mut self.clusters {
            of.poll_endpoints(port, now, self.kind, draw(), &mut self.counters);
            of.poll_hosts(port, now, self.kind, draw(), &mut self.counters);
        }
    }

    /// Handles the response to a call.
    pub(super) fn on_response(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        response: &AdminResponse,
    ) {
        let counters = &mut self.counters;
        let mut clusters = self.clusters.iter_mut().map(|of| &mut of.cluster);
        clusters.any(|cluster| cluster.on_response(port, now, response, counters));
    }
}

impl ScheduledCluster {
    fn poll_hosts(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        kind: Pollers,
        draw: u64,
        counters: &mut PollCounters,
    ) {
        let delay = kind.delay(&self.hosts, draw);
        if !self.hosts.is_due(now.at, delay) {
            return;
        }
        let interval = nanoseconds(self.interval);
        if kind == Pollers::One {
            self.cluster.sign(port, now, interval);
        } else if let Some(at) = self.cluster.polled_at(port, now)
            // Less than an interval: a late response must not cause a second poll.
            && now.at.saturating_sub(at) < interval / 4 * 3
        {
            return;
        }
        if kind == Pollers::Standby {
            counters.standby.add(port);
        }
        // Metadata of the same time list new hosts before these are published.
        if self.endpoints.is_none() && self.cluster.needs_metadata(port) {
            self.cluster.send_for_metadata(port, now, counters);
        }
        let accepted = self.cluster.send(port, now, Query::Hosts, counters);
        let longer = self.retry.map_or(FIRST_RETRY, |retry| retry * 2);
        self.retry = (!accepted).then(|| longer.min(self.interval));
        if let Some(retry) = self.retry {
            self.hosts
                .start_at(now.at.saturating_add(nanoseconds(retry)));
        }
    }

    fn poll_endpoints(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        kind: Pollers,
        draw: u64,
        counters: &mut PollCounters,
    ) {
        let Some(schedule) = &mut self.endpoints else {
            return;
        };
        let delay = kind.delay(schedule, draw);
        if !schedule.is_due(now.at, delay) {
            return;
        }
        if kind != Pollers::One && self.cluster.has_new_metadata(port, now) {
            return;
        }
        if !self.cluster.send_for_metadata(port, now, counters) {
            let retry = nanoseconds(self.retry.unwrap_or(FIRST_RETRY));
            schedule.start_at(now.at.saturating_add(retry));
        }
    }
}

impl Pollers {
    /// The random delay of the next poll. It lets workers poll at different times.
    fn delay(self, schedule: &Schedule, draw: u64) -> u64 {
        match self {
            Self::One => 0,
            Self::EveryWorker | Self::Standby => schedule.delay(draw),
        }
    }
}
