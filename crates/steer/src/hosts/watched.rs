//! One cluster as a worker sees it: the versions that it has applied, and published changes.

use alloc::{string::String, vec::Vec};

use log::Level;
use spillgate_config::{
    clusters::{LiveHosts, Published},
    envoy::read_priorities,
    filter::{ActiveRequests, OnStale, UnknownHostsPolicy},
};
use spillgate_core::{
    model::{ChainHosts, Cluster, ClusterKind, Health, Model, Priority},
    snapshot::{ClusterId, HostRef},
};

use super::{
    Freshness, LiveSettings,
    clock::{LastEvent, Now, nanoseconds},
    metadata::PolledMetadata,
    shared::{SharedHostState, Versions},
    standby::Standby,
};
use crate::{
    metrics::{AgeGauges, Ages},
    port::HealthPort,
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
    /// Whether requests select hosts by this metadata.
    selects: bool,
    /// Whether the policy hashes requests.
    hashes: bool,
    /// The applied versions.
    applied: Versions,
    /// When this configuration started.
    since: u64,
    /// The last response with hosts.
    reported: LastEvent,
    /// The last query that returned the metadata.
    metadata_read: LastEvent,
    live: Option<LiveHosts>,
    /// Whether the model contains hosts of the cluster.
    in_model: bool,
    /// How current the hosts are.
    pub(super) freshness: Freshness,
    /// The last reported health, to find hosts whose health changed.
    health: Vec<u8>,
    stale: StaleParts,
    metadata: PolledMetadata,
    gauges: AgeGauges,
}

/// Which reports are too old.
#[derive(Clone, Copy, Default)]
struct StaleParts {
    health: bool,
    metadata: bool,
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
        settings: &LiveSettings,
        model: &Model,
        id: ClusterId,
        cluster: &Cluster,
    ) -> Option<Self> {
        let ClusterKind::Plain(plain) = &cluster.kind else {
            return None;
        };
        let empty = is_empty(&plain.priorities);
        // With a chain, Envoy's own subsets have no effect.
        let mut steps = model.chain().iter();
        let selects = if model.chain().is_empty() {
            plain.subsets.is_some()
        } else {
            steps.any(|step| step.hosts != ChainHosts::Any)
        };
        let polls_assignment = empty && selects;
        let (admin, selects) = (&settings.admin, polls_assignment && settings.selects_hosts);
        let state = SharedHostState::of(&admin.cluster, &cluster.name);
        if selects {
            state.want_metadata(port);
        }
        Some(Self {
            id,
            name: cluster.name.clone(),
            state,
            selects,
            standby: Standby::new(now, admin.interval),
            polls_assignment,
            hashes: plain.policy.hashes(),
            configured: plain.priorities.clone(),
            applied: Versions::default(),
            since: now.at,
            reported: LastEvent::default(),
            metadata_read: LastEvent::default(),
            live: None,
            in_model: !empty,
            freshness: Freshness::Fresh,
            health: Vec::new(),
            stale: StaleParts::default(),
            metadata: PolledMetadata::default(),
            gauges: AgeGauges::of(port, &cluster.name, polls_assignment),
        })
    }

    /// Reads the changes since the previous call. While the hosts are unknown, the cluster has
    /// none: requests to an aggregate use its other members.
    pub(super) fn refresh(
        &mut self,
        port: &impl HealthPort,
        settings: &LiveSettings,
        now: Now,
    ) -> ClusterUpdate {
        let mut update = ClusterUpdate::default();
        let versions = self.state.versions(port).unwrap_or_default();
        if versions.polled_at > 0 {
            self.reported.observe(versions.polled_at, now);
        }
        if self.polls_assignment {
            self.refresh_metadata(port, versions);
        }
        self.check_age(port, settings, versions, now);
        self.freshness = self.freshness_of_reports(settings, versions);
        if self.freshness.is_unknown() {
            self.remove_hosts(&mut update);
            return update;
        }
        let hosts = (versions.hosts, versions.health);
        if hosts != (self.applied.hosts, self.applied.health) && versions.polled_at > 0 {
            self.apply_hosts(port, &mut update);
        }
        if self.live.is_none() && (self.polls_assignment || is_empty(&self.configured)) {
            self.freshness = Freshness::Unknown(settings.on_unknown);
        } else if !self.in_model && update.priorities.is_none() {
            update.priorities = Some(self.configured.clone());
        }
        self.in_model |= update.priorities.is_some();
        if settings.active == ActiveRequests::Admin && versions.active != self.applied.active {
            self.applied.active = versions.active;
            update.active = self.active(port);
        }
        update
    }

    /// When the hosts were polled last.
    pub(super) const fn polled_at(&self) -> Option<u64> {
        self.reported.at()
    }

    fn refresh_metadata(&mut self, port: &impl HealthPort, versions: Versions) {
        if versions.assignment != self.applied.assignment {
            self.applied.assignment = versions.assignment;
            self.metadata.readable = self.apply_assignment(port);
        }
        if self.metadata.readable && versions.metadata_at > 0 {
            self.metadata.apply(versions);
        }
    }

    /// How current the last reports are.
    fn freshness_of_reports(&self, settings: &LiveSettings, versions: Versions) -> Freshness {
        // An address may have another owner after any change of the hosts.
        if self.selects && self.metadata.is_of_others(versions.hosts) {
            return Freshness::Unknown(settings.on_unknown);
        }
        match (self.stale.any(), settings.admin.on_stale) {
            (false, _) => Freshness::Fresh,
            (true, OnStale::Keep) => Freshness::Stale,
            (true, OnStale::PassThrough) => Freshness::Unknown(UnknownHostsPolicy::PassThrough),
            (true, OnStale::Refuse) => Freshness::Unknown(UnknownHostsPolicy::Refuse),
        }
    }

    /// Removes the hosts from the model. Later reports are read as a whole.
    fn remove_hosts(&mut self, update: &mut ClusterUpdate) {
        self.live = None;
        (self.applied.hosts, self.applied.active) = (0, 0);
        if core::mem::take(&mut self.in_model) {
            update.priorities = Some(Vec::new());
        }
    }

    /// Returns whether the published metadata could be read.
    fn apply_assignment(&mut self, port: &impl HealthPort) -> bool {
        let assignment = self.state.assignment.read(port);
        let json = assignment.and_then(|(_, json)| String::from_utf8(json).ok());
        match read_priorities(&json.unwrap_or_default(), self.hashes) {
            Ok(priorities) => {
                self.configured = priorities;
                // The hosts must be read again, with the new metadata.
                self.applied.hosts = 0;
                true
            }
            Err(faults) => {
                if let Some(fault) = faults.first() {
                    let fault = fault.render("/config_dump");
                    let name = &self.name;
                    log::warn!("spillgate: cannot read endpoints of {name}: {fault}");
                }
                false
            }
        }
    }

    fn apply_hosts(&mut self, port: &impl HealthPort, update: &mut ClusterUpdate) {
        let Some(hosts) = self.state.hosts(port) else {
            return;
        };
        let (version, health) = hosts.versions();
        // Stored, but not announced yet.
        if self.selects && self.metadata.is_of_others(version) {
            return;
        }
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

    /// Records how old the last reports are, and logs when one becomes stale or current again.
    fn check_age(
        &mut self,
        port: &impl HealthPort,
        settings: &LiveSettings,
        versions: Versions,
        now: Now,
    ) {
        if self.metadata.read_at > 0 {
            self.metadata_read.observe(self.metadata.read_at, now);
        }
        let age = |event: &LastEvent| now.at.saturating_sub(event.at().unwrap_or(self.since));
        let limit = nanoseconds(settings.admin.stale_after);
        let ages = Ages {
            health: age(&self.reported),
            metadata: self.polls_assignment.then(|| age(&self.metadata_read)),
        };
        let interval = match versions.metadata_interval {
            0 => nanoseconds(settings.metadata_interval),
            interval => interval,
        };
        // The interval is published, possibly by another version of the filter.
        let metadata_limit = limit.saturating_add(interval);
        let before = core::mem::replace(
            &mut self.stale,
            StaleParts {
                health: ages.health > limit,
                metadata: ages.metadata.is_some_and(|age| age > metadata_limit),
            },
        );
        self.gauges.record(port, ages, self.stale.any());
        for (part, before, stale) in [
            ("health", before.health, self.stale.health),
            ("metadata", before.metadata, self.stale.metadata),
        ] {
            if stale != before {
                let (severity, state) = match (stale, settings.admin.on_stale) {
                    (false, _) => (Level::Info, "current again"),
                    (true, _) if part == "metadata" && self.metadata.read_at == 0 => {
                        (Level::Warn, "unknown; no poll has returned them")
                    }
                    (true, OnStale::Keep) => (Level::Warn, "stale; keeping last known state"),
                    (true, OnStale::PassThrough) => {
                        (Level::Warn, "stale; passing requests through")
                    }
                    (true, OnStale::Refuse) => (Level::Warn, "stale; refusing requests"),
                };
                let name = &self.name;
                log::log!(severity, "spillgate: {part} of {name} is {state}");
            }
        }
    }
}

impl StaleParts {
    const fn any(self) -> bool {
        self.health || self.metadata
    }
}

fn is_empty(priorities: &[Priority]) -> bool {
    let mut priorities = priorities.iter();
    priorities.all(|priority| priority.endpoints.is_empty())
}
