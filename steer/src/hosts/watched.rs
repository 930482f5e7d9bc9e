//! One cluster as a worker sees it: the versions that it has applied, and published changes.

use alloc::{format, string::String, vec::Vec};

use spillgate_config::{
    clusters::{LiveHosts, Published},
    envoy::read_priorities,
    filter::{ActiveRequests, AdminHealth, OnStale},
};
use spillgate_core::{
    model::{Cluster, ClusterKind, Health, Model, Priority},
    snapshot::{ClusterId, HostRef},
};

use super::{
    Freshness,
    clock::{LastEvent, Now, nanoseconds},
    shared::{SharedHostState, Versions},
    standby::Standby,
};
use crate::{
    metrics::AgeGauges,
    port::{HealthPort, LogLevel},
};

/// A cluster whose hosts are endpoints.
pub(super) struct Watched {
    pub(super) id: ClusterId,
    pub(super) name: String,
    pub(super) state: SharedHostState,
    /// Polls in place of the poller of all workers, while it is silent.
    pub(super) standby: Standby,
    /// The configured priorities; without them, the priorities of the last `/config_dump`.
    configured: Vec<Priority>,
    /// Whether the metadata of endpoints comes from `/config_dump`.
    pub(super) polls_assignment: bool,
    /// Whether the policy hashes requests.
    hashes: bool,
    /// The applied versions.
    applied: Versions,
    /// The last response of the admin.
    reported: LastEvent,
    live: Option<LiveHosts>,
    /// The last reported health, to find hosts whose health changed.
    health: Vec<u8>,
    stale: bool,
    gauges: AgeGauges,
}

/// A published change of one cluster.
#[derive(Default)]
pub(super) struct ClusterUpdate {
    /// The new priorities, if hosts changed.
    pub(super) priorities: Option<Vec<Priority>>,
    /// The hosts whose health alone changed.
    pub(super) healths: Vec<(HostRef, Health)>,
    /// Active requests, by priority and host.
    pub(super) active: Option<Vec<Vec<u32>>>,
}

impl Watched {
    /// Watches a cluster of a model; `None` for aggregates and `ORIGINAL_DST` clusters.
    pub(super) fn new(
        port: &impl HealthPort,
        now: Now,
        admin: &AdminHealth,
        model: &Model,
        id: ClusterId,
        cluster: &Cluster,
    ) -> Option<Self> {
        let ClusterKind::Plain(plain) = &cluster.kind else {
            return None;
        };
        let empty = plain
            .priorities
            .iter()
            .all(|priority| priority.endpoints.is_empty());
        let has_subsets = !model.chain().is_empty() || plain.subsets.is_some();
        Some(Self {
            id,
            name: cluster.name.clone(),
            state: SharedHostState::of(&admin.cluster, &cluster.name),
            standby: Standby::new(now, admin.interval),
            polls_assignment: empty && has_subsets,
            hashes: plain.policy.hashes(),
            configured: plain.priorities.clone(),
            applied: Versions::default(),
            reported: LastEvent::default(),
            live: None,
            health: Vec::new(),
            stale: false,
            gauges: AgeGauges::of(port, &cluster.name),
        })
    }

    /// Reads the changes since the previous call.
    pub(super) fn refresh(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        source: ActiveRequests,
    ) -> ClusterUpdate {
        let mut update = ClusterUpdate::default();
        let Some(versions) = self.state.versions(port) else {
            return update;
        };
        if versions.polled_at > 0 {
            self.reported.observe(versions.polled_at, now);
        }
        if self.polls_assignment && versions.assignment != self.applied.assignment {
            self.applied.assignment = versions.assignment;
            self.apply_assignment(port);
        }
        let hosts = (versions.hosts, versions.health);
        if hosts != (self.applied.hosts, self.applied.health) && versions.polled_at > 0 {
            self.apply_hosts(port, &mut update);
        }
        if source == ActiveRequests::Admin && versions.active != self.applied.active {
            self.applied.active = versions.active;
            update.active = self.active(port);
        }
        update
    }

    fn apply_assignment(&mut self, port: &impl HealthPort) {
        let assignment = self.state.assignment.read(port);
        let json = assignment.and_then(|(_, json)| String::from_utf8(json).ok());
        match read_priorities(&json.unwrap_or_default(), self.hashes) {
            Ok(priorities) => {
                self.configured = priorities;
                // The hosts must be read again, with the new metadata.
                self.applied.hosts = 0;
            }
            Err(faults) => {
                if let Some(fault) = faults.first() {
                    let fault = fault.render("/config_dump");
                    let name = &self.name;
                    let message = format!("spillgate: cannot read endpoints of {name}: {fault}");
                    port.log(LogLevel::Warn, &message);
                }
            }
        }
    }

    fn apply_hosts(&mut self, port: &impl HealthPort, update: &mut ClusterUpdate) {
        let Some(hosts) = self.state.hosts(port) else {
            return;
        };
        let (version, health) = hosts.versions();
        match &self.live {
            Some(live) if version == self.applied.hosts => {
                let reported = Published::healths(hosts.health());
                let pairs = reported.zip(Published::healths(&self.health));
                for (at, (reported, before)) in pairs.enumerate() {
                    if reported != before
                        && let (Some(reported), Some((priority, host))) = (reported, live.place(at))
                    {
                        let host = HostRef {
                            cluster: self.id,
                            priority,
                            host,
                        };
                        update.healths.push((host, live.health(at, reported)));
                    }
                }
            }
            _ => {
                // Unreadable data is from another release, whose poller will publish again.
                let Some(read) = Published::read(hosts.hosts(), hosts.health()) else {
                    return;
                };
                let mut live = LiveHosts::new(&self.configured, &read);
                update.priorities = Some(core::mem::take(&mut live.priorities));
                self.live = Some(live);
            }
        }
        self.health = hosts.health().to_vec();
        (self.applied.hosts, self.applied.health) = (version, health);
    }

    /// Active requests, by priority and host.
    fn active(&self, port: &impl HealthPort) -> Option<Vec<Vec<u32>>> {
        let ((_, bytes), live) = (self.state.active.read(port)?, self.live.as_ref()?);
        let mut priorities: Vec<Vec<u32>> = Vec::new();
        for (at, count) in Published::actives(&bytes).enumerate() {
            let Some((number, host)) = live.place(at) else {
                continue;
            };
            if priorities.len() <= number {
                priorities.resize_with(number + 1, Vec::new);
            }
            if let Some(priority) = priorities.get_mut(number) {
                if priority.len() <= host {
                    priority.resize(host + 1, 0);
                }
                if let Some(active) = priority.get_mut(host) {
                    *active = count;
                }
            }
        }
        Some(priorities)
    }

    /// Sets the health of all hosts to the last report.
    pub(super) fn set_health(&self, model: &mut Model) {
        let Some(live) = &self.live else {
            return;
        };
        for (at, reported) in Published::healths(&self.health).enumerate() {
            let Some((number, host)) = live.place(at) else {
                continue;
            };
            let health = model.health_mut(self.id.index(), number, host);
            if let (Some(health), Some(reported)) = (health, reported) {
                *health = live.health(at, reported);
            }
        }
    }

    /// Records how old the last report is, and logs when health becomes stale or current again.
    /// Before the first report, its age counts from `since`, when this configuration started.
    pub(super) fn check_age(
        &mut self,
        port: &impl HealthPort,
        since: Now,
        now: Now,
        admin: &AdminHealth,
    ) {
        let age = now
            .at
            .saturating_sub(self.reported.at().unwrap_or(since.at));
        let limit = nanoseconds(admin.stale_after);
        let stale = self.gauges.record(port, age, limit);
        if stale == self.stale {
            return;
        }
        self.stale = stale;
        let name = &self.name;
        let (severity, state) = match (stale, admin.on_stale) {
            (false, _) => (LogLevel::Info, "current again"),
            (true, OnStale::Keep) => (LogLevel::Warn, "stale; keeping last known state"),
            (true, OnStale::PassThrough) => (LogLevel::Warn, "stale; passing requests through"),
        };
        port.log(severity, &format!("spillgate: health of {name} is {state}"));
    }

    /// How current the known health is.
    pub(super) fn freshness(&self, admin: &AdminHealth) -> Freshness {
        let known = |priority: &Priority| !priority.endpoints.is_empty();
        if self.live.is_none() && !self.configured.iter().any(known) {
            return Freshness::Unknown;
        }
        match (self.stale, admin.on_stale) {
            (false, _) => Freshness::Fresh,
            (true, OnStale::Keep) => Freshness::Stale,
            (true, OnStale::PassThrough) => Freshness::Unknown,
        }
    }
}
