//! One cluster as a worker sees it: the versions that it has taken, and what is new.

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
    poller::nanoseconds,
    shared::{SharedHostState, Versions},
};
use crate::{
    metrics::AgeGauges,
    port::{HealthPort, LogLevel},
};

/// A cluster with endpoints.
pub(super) struct Watched {
    pub(super) id: ClusterId,
    pub(super) name: String,
    state: SharedHostState,
    /// The priorities of the configuration, or of the last dump if that has none.
    configured: Vec<Priority>,
    /// Whether the metadata of endpoints comes from a dump.
    pub(super) wants_assignment: bool,
    hashes: bool,
    /// The versions that were taken.
    seen: Versions,
    live: Option<LiveHosts>,
    /// The last reported health, to find hosts that changed.
    health: Vec<u8>,
    stale: bool,
    gauges: AgeGauges,
}

/// What is new about one cluster.
#[derive(Default)]
pub(super) struct News {
    pub(super) priorities: Option<Vec<Priority>>,
    pub(super) healths: Vec<(HostRef, Health)>,
    pub(super) active: Option<Vec<Vec<u32>>>,
}

impl Watched {
    /// Watches a cluster of a model; `None` if its hosts are not endpoints.
    pub(super) fn new(
        port: &impl HealthPort,
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
            wants_assignment: empty && has_subsets,
            hashes: plain.policy.hashes(),
            configured: plain.priorities.clone(),
            seen: Versions::default(),
            live: None,
            health: Vec::new(),
            stale: false,
            gauges: AgeGauges::of(port, &cluster.name),
        })
    }

    /// Takes what is published since the last time.
    pub(super) fn look(&mut self, port: &impl HealthPort, source: ActiveRequests) -> News {
        let mut news = News::default();
        let Some(versions) = self.state.versions(port) else {
            return news;
        };
        self.seen.polled_at = versions.polled_at;
        let mut reread = false;
        if self.wants_assignment && versions.assignment != self.seen.assignment {
            self.seen.assignment = versions.assignment;
            reread = self.take_assignment(port);
        }
        let hosts = (versions.hosts, versions.health);
        if (reread || hosts != (self.seen.hosts, self.seen.health)) && versions.polled_at > 0 {
            self.take_hosts(port, reread, &mut news);
        }
        if source == ActiveRequests::Admin && versions.active != self.seen.active {
            self.seen.active = versions.active;
            news.active = self.active(port);
        }
        news
    }

    /// Whether the metadata changed.
    fn take_assignment(&mut self, port: &impl HealthPort) -> bool {
        let json = self
            .state
            .assignment(port)
            .and_then(|json| String::from_utf8(json).ok());
        match read_priorities(&json.unwrap_or_default(), self.hashes) {
            Ok(priorities) => {
                self.configured = priorities;
                true
            }
            Err(faults) => {
                if let Some(fault) = faults.first() {
                    let fault = fault.render("/config_dump");
                    let name = &self.name;
                    let message =
                        format!("spillgate: the endpoints of {name} are not read: {fault}");
                    port.log(LogLevel::Warn, &message);
                }
                false
            }
        }
    }

    fn take_hosts(&mut self, port: &impl HealthPort, reread: bool, news: &mut News) {
        let Some(hosts) = self.state.hosts(port) else {
            return;
        };
        let (version, health) = hosts.versions();
        match &self.live {
            Some(live) if !reread && version == self.seen.hosts => {
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
                        news.healths.push((host, live.health(at, reported)));
                    }
                }
            }
            _ => {
                // Other bytes are those of another release, which will publish again.
                let Some(read) = Published::read(hosts.hosts(), hosts.health()) else {
                    return;
                };
                let mut live = LiveHosts::new(&self.configured, &read);
                news.priorities = Some(core::mem::take(&mut live.priorities));
                self.live = Some(live);
            }
        }
        self.health = hosts.health().to_vec();
        (self.seen.hosts, self.seen.health) = (version, health);
    }

    /// Active requests, by priority and host.
    fn active(&self, port: &impl HealthPort) -> Option<Vec<Vec<u32>>> {
        let (bytes, live) = (self.state.active(port)?, self.live.as_ref()?);
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

    /// Records how old the last report is, and logs when it becomes stale or is fresh again.
    pub(super) fn age(
        &mut self,
        port: &impl HealthPort,
        since: u64,
        now: u64,
        admin: &AdminHealth,
    ) {
        let age = now.saturating_sub(self.seen.polled_at.max(since));
        let stale = age > nanoseconds(admin.stale_after);
        self.gauges.record(port, age, stale);
        if stale == self.stale {
            return;
        }
        self.stale = stale;
        let name = &self.name;
        let (level, message) = match (stale, admin.on_stale) {
            (false, _) => (
                LogLevel::Info,
                format!("spillgate: there is news of {name} again"),
            ),
            (true, OnStale::Keep) => (
                LogLevel::Warn,
                format!("spillgate: no news of {name} for too long; what was known stays"),
            ),
            (true, OnStale::PassThrough) => (
                LogLevel::Warn,
                format!("spillgate: no news of {name} for too long; Envoy balances it by itself"),
            ),
        };
        port.log(level, &message);
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
