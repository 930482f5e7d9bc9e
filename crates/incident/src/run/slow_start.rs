//! Slow start in a simulation: hosts that pass their checks again, or are new, get fewer requests at first.

use core::time::Duration;

use spillgate_core::{
    model::{CoarseHealth, SlowStart},
    snapshot::ClusterId,
};

use super::{changes::ChangeKind, host::HealthySince, queue::QueuedEvent, simulation::Simulation};
use crate::traffic::SlowStartHosts;

/// The steps in which the weight of a host grows over the window.
const STEPS: u32 = 10;
/// The shortest step.
const SHORTEST: Duration = Duration::from_millis(1);

impl Simulation<'_> {
    /// The checks of a host have another result. Slow start begins with the check that ends `FAILED_ACTIVE_HC`; the end
    /// of an ejection does not begin it.
    pub(super) fn start_slowly(&mut self, number: usize, fails: bool) {
        let now = self.now;
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        match host.healthy_since {
            _ if fails => host.healthy_since = HealthySince::ChecksFail,
            HealthySince::New | HealthySince::ChecksFail => {
                host.healthy_since = HealthySince::Time(now);
            }
            HealthySince::LongAgo | HealthySince::Time(_) => {}
        }
    }

    /// All hosts whose checks pass have been healthy for long.
    pub(super) fn skip_slow_start(&mut self) {
        for host in &mut self.hosts {
            host.healthy_since = if host.health().flags.failed_active_hc {
                HealthySince::ChecksFail
            } else {
                HealthySince::LongAgo
            };
        }
    }

    /// The hosts whose weight grows, with the time that the weights of the next step are those of. A host without checks
    /// counts from the first lists that have it as healthy.
    pub(super) fn hosts_in_slow_start(&mut self) -> SlowStartHosts {
        let mut found = SlowStartHosts::default();
        let mut ongoing = 0;
        for number in 0..self.hosts.len() {
            let Some(slow_start) = self
                .cluster_of(number)
                .and_then(|cluster| self.slow_start_of(cluster))
            else {
                continue;
            };
            let is_healthy = self.view.health(number).coarse() == CoarseHealth::Healthy;
            let place = self.view.place(number).filter(|_| is_healthy);
            let (Some(place), Some(host)) = (place, self.hosts.get_mut(number)) else {
                continue;
            };
            if host.healthy_since == HealthySince::New {
                host.healthy_since = HealthySince::Time(self.now);
            }
            let HealthySince::Time(since) = host.healthy_since else {
                continue;
            };
            let elapsed = self.now.saturating_sub(since);
            if elapsed < slow_start.window() {
                ongoing += 1;
                found.add(place, elapsed + step(&slow_start) / 2);
                self.wait_for_step(place.cluster, &slow_start);
            }
        }
        if ongoing > 0 || self.slow_start_hosts > 0 {
            self.note_slow_start(ongoing);
        }
        found
    }

    /// The weights of a cluster have grown.
    pub(super) fn on_slow_start(&mut self, cluster: ClusterId) {
        self.slow_start_clusters.remove(&cluster);
        self.is_stale = true;
    }

    fn wait_for_step(&mut self, cluster: ClusterId, slow_start: &SlowStart) {
        if self.slow_start_clusters.insert(cluster) {
            let at = self.now.saturating_add(step(slow_start));
            self.queue.add(at, QueuedEvent::SlowStart { cluster });
        }
    }

    fn note_slow_start(&mut self, ongoing: usize) {
        let kind = match (self.slow_start_hosts, ongoing) {
            (0, _) => ChangeKind::SlowStartBegins,
            (_, 0) => ChangeKind::SlowStartEnds,
            _ => ChangeKind::SlowStartGrows,
        };
        self.slow_start_hosts = ongoing;
        self.note(kind, 0, 0);
    }

    fn slow_start_of(&self, cluster: ClusterId) -> Option<SlowStart> {
        self.view.snapshot().plain(cluster)?.settings.slow_start
    }
}

fn step(slow_start: &SlowStart) -> Duration {
    (slow_start.window() / STEPS).max(SHORTEST)
}
