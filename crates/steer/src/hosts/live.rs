//! The live hosts of a worker: the configured hosts, updated by the admin's reports.

use alloc::{string::String, vec::Vec};

use log::Level;
use spillgate_config::filter::{Poll, PollerKind};
use spillgate_core::{
    model::Model,
    snapshot::{ClusterId, HostRef, Snapshot},
};

use super::{
    Freshness, HostChange, Hosts, LiveSettings,
    clock::{AgeClock, LogPause, Now},
    poller::Poller,
    watched::Watched,
};
use crate::{
    metrics::UpdateCounters,
    port::{AdminResponse, HealthPort},
};

/// The hosts that a worker refreshes on every tick.
pub(crate) struct Live {
    settings: LiveSettings,
    /// The clusters with their last known hosts and health.
    model: Model,
    watched: Vec<Watched>,
    /// Present if every worker polls.
    poller: Option<Poller>,
    clock: AgeClock,
    /// The time of the last refresh, in nanoseconds.
    refreshed_at: u64,
    /// Whether the last logged state of the poller of all workers is silence.
    is_silent: bool,
    silences: LogPause,
    counters: UpdateCounters,
}

impl Live {
    /// Starts with the configured hosts.
    pub(crate) fn new(
        port: &impl HealthPort,
        settings: LiveSettings,
        model: Model,
        snapshot: &Snapshot,
    ) -> Self {
        let mut clock = AgeClock::new(settings.tick);
        let now = clock.now(port);
        // The clusters of a snapshot are in the order of the model.
        let clusters = snapshot.clusters().zip(model.clusters());
        let watched = clusters.filter_map(|((id, _), cluster)| {
            Watched::new(port, now, &settings, &model, id, cluster)
        });
        let watched: Vec<Watched> = watched.collect();
        let poller = (settings.admin.poller == PollerKind::Worker).then(|| {
            let polls_assignment = watched.iter().any(|watched| watched.polls_assignment);
            let targets = watched.iter().map(|watched| watched.name.clone()).collect();
            Poller::among_others(port, poll(&settings, targets, polls_assignment))
        });
        Self {
            settings,
            model,
            watched,
            poller,
            clock,
            refreshed_at: now.at,
            is_silent: false,
            silences: LogPause::default(),
            counters: UpdateCounters::default(),
        }
    }

    /// Counts a tick, and polls the admin if every worker does so or the poller is silent.
    pub(crate) fn poll(&mut self, port: &impl HealthPort, mut draw: impl FnMut() -> u64) {
        self.clock.tick();
        let now = self.clock.now(port);
        if let Some(poller) = &mut self.poller {
            poller.tick(port, now, &mut draw);
            return;
        }
        let mut is_silent = false;
        for watched in &mut self.watched {
            let Watched {
                name,
                state,
                standby,
                polls_assignment,
                ..
            } = watched;
            let own = || poll(&self.settings, Vec::from([name.clone()]), *polls_assignment);
            is_silent |= standby.tick(port, now, state, own, &mut draw);
        }
        self.log_silence(now, is_silent);
    }

    fn log_silence(&mut self, now: Now, is_silent: bool) {
        if is_silent == self.is_silent || is_silent && !self.silences.may_log(now) {
            return;
        }
        self.is_silent = is_silent;
        let admin = &self.settings.admin.cluster;
        let (severity, state) = if is_silent {
            (Level::Warn, "is silent; workers poll instead")
        } else {
            (Level::Info, "polls again")
        };
        log::log!(severity, "spillgate: the poller of {admin} {state}");
    }

    /// Takes the response to a call.
    pub(crate) fn on_response(&mut self, port: &impl HealthPort, response: &AdminResponse<'_>) {
        let now = self.clock.now(port);
        if let Some(poller) = &mut self.poller {
            poller.on_response(port, now, response);
        }
        for watched in &mut self.watched {
            watched.standby.on_response(port, now, response);
        }
    }

    /// Reads published changes. `snapshot` is the result of the previous call.
    pub(crate) fn refresh(&mut self, port: &impl HealthPort, snapshot: &Snapshot) -> HostChange {
        let mut change = HostChange::default();
        let mut healths = Vec::new();
        let mut regrouped = Vec::new();
        let now = self.clock.now(port);
        self.refreshed_at = now.at;
        for watched in &mut self.watched {
            let update = watched.refresh(port, &self.settings, now);
            if let Some(priorities) = update.priorities {
                // Hosts that the model rejects are ignored: the last known ones keep serving.
                let set = self.model.set_priorities(watched.id.index(), priorities);
                if set.is_ok() {
                    watched.set_health(&mut self.model);
                    regrouped.push(watched.id);
                }
            }
            healths.extend(update.healths);
            let active = update.active.map(|active| (watched.id, active));
            change.active.extend(active);
        }
        for &(host, health) in &healths {
            let HostRef {
                cluster,
                priority,
                host,
            } = host;
            if let Some(known) = self.model.health_mut(cluster.index(), priority, host) {
                *known = health;
            }
        }
        let rebuilt = (!regrouped.is_empty()).then(|| snapshot.with_hosts(&self.model, &regrouped));
        let hosts = rebuilt.as_ref().unwrap_or(snapshot);
        // On top of the rebuilt hosts: both changes become visible in one swap.
        let updated = (!healths.is_empty()).then(|| hosts.with_health(&healths));
        change.hosts = match (rebuilt, updated) {
            (None, None) => Hosts::Same,
            (None, Some(updated)) => {
                self.counters.updates.add(port);
                Hosts::NewHealth(updated)
            }
            (Some(rebuilt), updated) => {
                self.counters.rebuilds.add(port);
                Hosts::NewHosts(updated.unwrap_or(rebuilt))
            }
        };
        change
    }

    /// The time of the last refresh, and of the oldest of the last polls of the clusters, in nanoseconds;
    /// `None` if one of them was never polled.
    pub(crate) fn polled(&self) -> (u64, Option<u64>) {
        let times = self.watched.iter().map(Watched::polled_at);
        let oldest = times.min().flatten();
        (self.refreshed_at, oldest)
    }

    /// How current each cluster is, by cluster id.
    pub(crate) fn freshness(&self, snapshot: &Snapshot) -> Vec<Freshness> {
        let watched = |id: ClusterId| {
            let mut watched = self.watched.iter();
            let watched = watched.find(|watched| watched.id == id);
            watched.map(|watched| watched.freshness)
        };
        Freshness::of_clusters(snapshot, watched)
    }
}

/// The polls of a worker itself.
fn poll(settings: &LiveSettings, targets: Vec<String>, polls_assignment: bool) -> Poll {
    let admin = &settings.admin;
    Poll {
        cluster: admin.cluster.clone(),
        targets,
        interval: admin.interval,
        metadata_interval: polls_assignment.then_some(settings.metadata_interval),
    }
}
