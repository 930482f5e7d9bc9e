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

/// Polls Envoy's admin interface for all workers, and publishes changes of hosts, health and active
/// requests.
pub struct SharedPoller {
    poller: Poller,
    clock: AgeClock,
    period: Duration,
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
    /// The poll interval in nanoseconds.
    interval: u64,
    hosts: Schedule,
    /// Present if the metadata of endpoints are polled.
    endpoints: Option<Schedule>,
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
        }
    }

    /// How often [`Self::tick`] must be called.
    pub(crate) const fn period(&self) -> Duration {
        self.period
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
            names.map(move |(number, name)| ScheduledCluster {
                cluster: PolledCluster::new(port, &poll.cluster, name),
                interval: nanoseconds(poll.interval),
                hosts: Schedule::new(poll.interval, number, count),
                endpoints: poll
                    .metadata_interval
                    .map(|interval| Schedule::new(interval, number, count)),
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
            of.poll_hosts(port, now, self.kind, draw(), &mut self.counters);
            of.poll_endpoints(port, now, self.kind, draw(), &mut self.counters);
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
        if kind == Pollers::One {
            self.cluster.sign(port, now, self.interval);
        } else if let Some(at) = self.cluster.polled_at(port, now)
            // Less than an interval: a late response must not cause a second poll.
            && now.at.saturating_sub(at) < self.interval / 4 * 3
        {
            return;
        }
        let sent = self.cluster.send(port, now, Query::Hosts, counters);
        if sent && kind == Pollers::Standby {
            counters.standby.add(port);
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
        if schedule.is_due(now.at, delay) {
            for query in [Query::DynamicEndpoints, Query::StaticEndpoints] {
                self.cluster.send(port, now, query, counters);
            }
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
