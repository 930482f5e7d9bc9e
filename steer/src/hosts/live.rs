//! The live hosts of a worker: the configured hosts, updated by the admin's reports.

use alloc::vec::Vec;

use spillgate_config::filter::{ActiveRequests, AdminHealth, OnUnknown, Poll, PollerKind};
use spillgate_core::{
    model::Model,
    snapshot::{ClusterId, ClusterSnapshotKind, Snapshot},
};

use super::{Freshness, HostChange, Hosts, poller::Poller, watched::Watched};
use crate::{
    metrics::UpdateCounters,
    port::{AdminResponse, HealthPort},
};

/// The settings of live hosts.
pub(crate) struct LiveSettings {
    pub(crate) admin: AdminHealth,
    /// The handling of requests while the hosts are unknown.
    pub(crate) on_unknown: OnUnknown,
    /// Whether requests select hosts by their metadata.
    pub(crate) selects_hosts: bool,
    /// Whose active requests count.
    pub(crate) active: ActiveRequests,
    /// When this configuration started: nanoseconds since the Unix epoch.
    pub(crate) since: u64,
}

/// The hosts that a worker refreshes on every tick.
pub(crate) struct Live {
    settings: LiveSettings,
    /// The clusters with their last known hosts.
    model: Model,
    watched: Vec<Watched>,
    /// Present if every worker polls.
    poller: Option<Poller>,
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
        let admin = &settings.admin;
        // The clusters of a snapshot are in the order of the model.
        let clusters = snapshot.clusters().zip(model.clusters());
        let watched = clusters
            .filter_map(|((id, _), cluster)| Watched::new(port, admin, &model, id, cluster));
        let watched: Vec<Watched> = watched.collect();
        let poller = (admin.poller == PollerKind::Worker).then(|| {
            let polls_assignment = watched.iter().any(|watched| watched.polls_assignment);
            let poll = Poll {
                cluster: admin.cluster.clone(),
                targets: watched.iter().map(|watched| watched.name.clone()).collect(),
                interval: admin.interval,
                metadata_interval: polls_assignment.then_some(admin.metadata_interval),
            };
            Poller::among_others(port, poll)
        });
        Self {
            settings,
            model,
            watched,
            poller,
            counters: UpdateCounters::default(),
        }
    }

    /// Polls the admin, if every worker does so.
    pub(crate) fn poll(&mut self, port: &impl HealthPort, draw: impl FnMut() -> u64) {
        if let Some(poller) = &mut self.poller {
            poller.tick(port, draw);
        }
    }

    /// Takes the response to a call.
    pub(crate) fn on_response(&mut self, port: &impl HealthPort, response: &AdminResponse) {
        if let Some(poller) = &mut self.poller {
            poller.on_response(port, response);
        }
    }

    /// Reads published changes. `snapshot` is the result of the previous call.
    pub(crate) fn refresh(&mut self, port: &impl HealthPort, snapshot: &Snapshot) -> HostChange {
        let mut change = HostChange::default();
        let mut healths = Vec::new();
        let mut regrouped = false;
        let now = port.now();
        for watched in &mut self.watched {
            let update = watched.refresh(port, &self.settings, &self.model, now);
            if let Some(priorities) = update.priorities {
                let set = self.model.set_priorities(watched.id.index(), priorities);
                regrouped |= set.is_ok();
            }
            healths.extend(update.healths);
            let active = update.active.map(|active| (watched.id, active));
            change.active.extend(active);
        }
        if regrouped {
            self.counters.rebuilds.add(port);
            change.hosts = Hosts::NewHosts(self.rebuilt());
        } else if !healths.is_empty() {
            self.counters.updates.add(port);
            change.hosts = Hosts::NewHealth(snapshot.with_health(&healths));
        }
        change
    }

    /// Builds a snapshot of the last known hosts.
    fn rebuilt(&mut self) -> Snapshot {
        for watched in &self.watched {
            watched.set_health(&mut self.model);
        }
        Snapshot::build(&self.model)
    }

    /// How current each cluster is, by cluster id.
    pub(crate) fn freshness(&self, snapshot: &Snapshot) -> Vec<Freshness> {
        let watched = |id: ClusterId| {
            let mut watched = self.watched.iter();
            let watched = watched.find(|watched| watched.id == id);
            watched.map(|watched| watched.freshness)
        };
        snapshot
            .clusters()
            .map(|(id, cluster)| match &cluster.kind {
                ClusterSnapshotKind::Aggregate(aggregate) => {
                    let members = aggregate.members.iter();
                    Freshness::of_members(members.filter_map(|&member| watched(member)))
                }
                ClusterSnapshotKind::Plain(_) | ClusterSnapshotKind::OriginalDst(_) => {
                    watched(id).unwrap_or(Freshness::Fresh)
                }
            })
            .collect()
    }
}
