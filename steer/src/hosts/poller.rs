//! Polling of admin interfaces, at the configured intervals.

use alloc::{vec, vec::Vec};
use core::time::Duration;

use spillgate_config::filter::Poll;

use super::polled::{PolledCluster, Query};
use crate::{
    metrics::PollCounters,
    port::{AdminResponse, HealthPort},
};

/// How soon a refused call is sent again; the pause doubles up to the poll interval.
const FIRST_RETRY: Duration = Duration::from_millis(100);

/// Polls Envoy's admin interface and publishes changes of hosts, health and active requests.
pub struct Poller {
    admins: Vec<PolledAdmin>,
    /// How often ticks were last requested.
    period: Option<Duration>,
    counters: PollCounters,
}

/// One admin interface, and the clusters whose hosts it reports.
struct PolledAdmin {
    poll: Poll,
    clusters: Vec<PolledCluster>,
    /// When the next polls of hosts and of endpoints are due: nanoseconds since the Unix epoch.
    hosts_due: u64,
    endpoints_due: u64,
    /// How soon calls are sent again that the environment refused: at startup, the cluster of the
    /// admin may not be ready. `None` after accepted calls.
    retry: Option<Duration>,
    pollers: Pollers,
}

/// Which pollers share an admin interface.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pollers {
    /// Only this one.
    One,
    /// Every worker: a poll is skipped if another worker has just received a response.
    EveryWorker,
}

impl Poller {
    /// The only poller of all workers.
    pub(crate) fn alone(port: &impl HealthPort, polls: Vec<Poll>) -> Self {
        Self::new(port, polls, Pollers::One)
    }

    /// One of many: each worker polls, unless another worker has just done so.
    pub(crate) fn among_others(port: &impl HealthPort, poll: Poll) -> Self {
        Self::new(port, vec![poll], Pollers::EveryWorker)
    }

    fn new(port: &impl HealthPort, polls: Vec<Poll>, pollers: Pollers) -> Self {
        let admins = polls.into_iter().map(|poll| {
            let names = poll.targets.iter();
            PolledAdmin {
                clusters: names
                    .map(|name| PolledCluster::new(port, &poll, name))
                    .collect(),
                poll,
                hosts_due: 0,
                endpoints_due: 0,
                retry: None,
                pollers,
            }
        });
        Self {
            admins: admins.collect(),
            period: None,
            counters: PollCounters::default(),
        }
    }

    /// How often [`Self::tick`] must be called from now on; `None` if as often as before.
    pub(crate) fn changed_period(&mut self) -> Option<Duration> {
        let admins = self.admins.iter();
        let periods = admins.map(|admin| admin.retry.unwrap_or(admin.poll.interval));
        let period = periods.min();
        let before = core::mem::replace(&mut self.period, period);
        period.filter(|_| period != before)
    }

    /// Sends the polls that are due. The random numbers of `draw` spread the polls of workers.
    pub(crate) fn tick(&mut self, port: &impl HealthPort, mut draw: impl FnMut() -> u64) {
        let now = port.now();
        for admin in &mut self.admins {
            admin.poll_hosts(port, now, draw(), &mut self.counters);
            admin.poll_endpoints(port, now, draw(), &mut self.counters);
        }
    }

    /// Handles the response to a call.
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
        let mut accepted = true;
        for cluster in &mut self.clusters {
            // Less than an interval: a late response must not cause a second poll.
            let recent = now.saturating_sub(interval / 4 * 3);
            if self.pollers == Pollers::One || cluster.polled_at(port) <= recent {
                accepted &= cluster.send(port, Query::Hosts, counters);
            }
        }
        let longer = self.retry.map_or(FIRST_RETRY, |retry| retry * 2);
        self.retry = (!accepted).then(|| longer.min(self.poll.interval));
        if let Some(retry) = self.retry {
            self.hosts_due = now + nanoseconds(retry);
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
        let mut accepted = true;
        for cluster in &mut self.clusters {
            for query in [Query::DynamicEndpoints, Query::StaticEndpoints] {
                accepted &= cluster.send(port, query, counters);
            }
        }
        if let (false, Some(retry)) = (accepted, self.retry) {
            self.endpoints_due = now + nanoseconds(retry);
        }
    }

    /// When the next poll is due. Each worker adds up to a fifth of the interval, so that workers
    /// poll at different times.
    fn next(&self, now: u64, interval: u64, draw: u64) -> u64 {
        // If a tick arrives a little early, the poll must not wait for the next tick.
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
