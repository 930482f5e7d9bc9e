//! Polls admin interfaces about clusters, at the configured intervals.

use alloc::{vec, vec::Vec};
use core::time::Duration;

use spillgate_config::filter::Poll;

use super::polled::{PolledCluster, Query};
use crate::{
    metrics::PollCounters,
    port::{AdminResponse, HealthPort},
};

/// Polls admin interfaces.
pub struct Poller {
    admins: Vec<PolledAdmin>,
    counters: PollCounters,
}

/// One admin interface, and the clusters that it is polled about.
struct PolledAdmin {
    poll: Poll,
    clusters: Vec<PolledCluster>,
    /// When it is polled again: nanoseconds since the epoch.
    hosts_due: u64,
    endpoints_due: u64,
    pollers: Pollers,
}

/// Who polls an admin interface.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pollers {
    /// This one alone.
    One,
    /// Every worker, so that a fresh response to another one is enough.
    EveryWorker,
}

impl Poller {
    /// The only poller of all workers.
    pub(crate) fn alone(port: &impl HealthPort, polls: Vec<Poll>) -> Self {
        Self::new(port, polls, Pollers::One)
    }

    /// One of many: each worker polls, unless another one has just done so.
    pub(crate) fn among_others(port: &impl HealthPort, poll: Poll) -> Self {
        Self::new(port, vec![poll], Pollers::EveryWorker)
    }

    fn new(port: &impl HealthPort, polls: Vec<Poll>, pollers: Pollers) -> Self {
        let admins = polls.into_iter().map(|poll| {
            let names = poll.targets.iter();
            PolledAdmin {
                clusters: names
                    .map(|name| PolledCluster::new(port, &poll.cluster, name))
                    .collect(),
                poll,
                hosts_due: 0,
                endpoints_due: 0,
                pollers,
            }
        });
        Self {
            admins: admins.collect(),
            counters: PollCounters::default(),
        }
    }

    /// How often [`Self::tick`] must be called.
    pub(crate) fn period(&self) -> Option<Duration> {
        let periods = self.admins.iter().map(|admin| admin.poll.interval);
        periods.min()
    }

    /// Polls what is due. `draw` spreads workers that poll the same.
    pub(crate) fn tick(&mut self, port: &impl HealthPort, mut draw: impl FnMut() -> u64) {
        let now = port.now();
        for admin in &mut self.admins {
            admin.poll_hosts(port, now, draw(), &mut self.counters);
            admin.poll_endpoints(port, now, draw(), &mut self.counters);
        }
    }

    /// Takes the response to a call.
    pub(crate) fn on_response(&mut self, port: &impl HealthPort, response: &AdminResponse) {
        let mut clusters = self.admins.iter_mut().flat_map(|admin| &mut admin.clusters);
        clusters.any(|cluster| cluster.on_response(port, response, &mut self.counters));
    }
}

impl PolledAdmin {
    fn poll_hosts(
        &mut self,
        port: &impl HealthPort,
        now: u64,
        draw: u64,
        counters: &mut PollCounters,
    ) {
        if now < self.hosts_due {
            return;
        }
        let interval = nanoseconds(self.poll.interval);
        self.hosts_due = self.next(now, interval, draw);
        for cluster in &mut self.clusters {
            // Most of an interval: a poller that is a little late must not be doubled.
            let fresh = now.saturating_sub(interval / 4 * 3);
            if self.pollers == Pollers::One || cluster.polled_at(port) <= fresh {
                cluster.send(port, Query::Hosts, counters);
            }
        }
    }

    fn poll_endpoints(
        &mut self,
        port: &impl HealthPort,
        now: u64,
        draw: u64,
        counters: &mut PollCounters,
    ) {
        let Some(interval) = self.poll.metadata_interval else {
            return;
        };
        if now < self.endpoints_due {
            return;
        }
        self.endpoints_due = self.next(now, nanoseconds(interval), draw);
        for cluster in &mut self.clusters {
            for query in [Query::DynamicEndpoints, Query::StaticEndpoints] {
                cluster.send(port, query, counters);
            }
        }
    }

    /// When the next poll is due. Workers poll at different times: up to a fifth of the interval
    /// later.
    fn next(&self, now: u64, interval: u64, draw: u64) -> u64 {
        // A tick that comes a little early must not wait for the next one.
        let early = interval / 10;
        let later = match self.pollers {
            Pollers::One => 0,
            Pollers::EveryWorker => draw.checked_rem(interval / 5).unwrap_or(0),
        };
        now + interval - early + later
    }
}

/// A duration in nanoseconds.
pub(super) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
