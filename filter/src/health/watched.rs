//! One cluster as a worker sees it: what was taken of what is published, and what is new.

use super::board::{Board, Versions};
use super::poller::nanoseconds;
use super::trust::Trust;
use crate::counters::Freshness;
use spillgate_config::clusters::{LiveHosts, Published};
use spillgate_config::envoy::read_levels;
use spillgate_config::filter::{AdminHealth, OnStale};
use spillgate_core::model::{Health, Level, PlainCluster};
use spillgate_core::snapshot::{ClusterId, HostRef};

/// A cluster with endpoints.
pub(super) struct Watched {
    pub(super) id: ClusterId,
    pub(super) name: String,
    board: Board,
    /// The levels of the configuration, or of the last dump where that has none.
    configured: Vec<Level>,
    /// Whether the metadata of endpoints come from a dump.
    pub(super) wants_assignment: bool,
    hashes: bool,
    /// The editions that were taken.
    seen: Versions,
    live: Option<LiveHosts>,
    /// The health that was told last, to see who has changed.
    health: Vec<u8>,
    stale: bool,
    freshness: Freshness,
}

/// What is new about one cluster.
#[derive(Default)]
pub(super) struct News {
    pub(super) levels: Option<Vec<Level>>,
    pub(super) healths: Vec<(HostRef, Health)>,
    pub(super) active: Option<Vec<Vec<u32>>>,
}

impl Watched {
    pub(super) fn new(
        id: ClusterId,
        name: &str,
        plain: &mut PlainCluster,
        admin: &AdminHealth,
        has_chain: bool,
    ) -> Self {
        let empty = plain.levels.iter().all(|level| level.endpoints.is_empty());
        Self {
            id,
            name: name.to_owned(),
            board: Board::of(&admin.cluster, name),
            wants_assignment: empty && (has_chain || plain.subsets.is_some()),
            hashes: plain.policy.hashes(),
            configured: plain.levels.clone(),
            seen: Versions::default(),
            live: None,
            health: Vec::new(),
            stale: false,
            freshness: Freshness::of(name),
        }
    }

    pub(super) fn look(&mut self, wants_active: bool) -> News {
        let mut news = News::default();
        let Some(versions) = self.board.versions() else {
            return news;
        };
        self.seen.polled_at = versions.polled_at;
        let mut anew = false;
        if self.wants_assignment && versions.assignment != self.seen.assignment {
            self.seen.assignment = versions.assignment;
            anew = self.take_assignment();
        }
        let hosts = (versions.hosts, versions.health);
        if (anew || hosts != (self.seen.hosts, self.seen.health)) && versions.polled_at > 0 {
            self.take_hosts(anew, &mut news);
        }
        if wants_active && versions.active != self.seen.active {
            self.seen.active = versions.active;
            news.active = self.active();
        }
        news
    }

    /// Whether the metadata are others now.
    fn take_assignment(&mut self) -> bool {
        let json = self
            .board
            .assignment()
            .and_then(|json| String::from_utf8(json).ok());
        match read_levels(&json.unwrap_or_default(), self.hashes) {
            Ok(levels) => {
                self.configured = levels;
                true
            }
            Err(faults) => {
                if let Some(fault) = faults.first() {
                    let fault = fault.render("/config_dump");
                    log::warn!(
                        "spillgate: the endpoints of {} are not read: {fault}",
                        self.name
                    );
                }
                false
            }
        }
    }

    fn take_hosts(&mut self, anew: bool, news: &mut News) {
        let Some(hosts) = self.board.hosts() else {
            return;
        };
        let (edition, health) = hosts.versions();
        match &self.live {
            Some(live) if !anew && edition == self.seen.hosts => {
                let told = Published::healths(hosts.health());
                let pairs = told.zip(Published::healths(&self.health));
                for (at, (told, before)) in pairs.enumerate() {
                    if told != before
                        && let (Some(told), Some((priority, host))) = (told, live.place(at))
                    {
                        let host = HostRef {
                            cluster: self.id,
                            priority,
                            host,
                        };
                        news.healths.push((host, live.health(at, told)));
                    }
                }
            }
            _ => {
                // Bytes that are no hosts are another version's; it will publish again.
                let Some(read) = Published::read(hosts.hosts(), hosts.health()) else {
                    return;
                };
                let mut live = LiveHosts::new(&self.configured, &read);
                news.levels = Some(std::mem::take(&mut live.levels));
                self.live = Some(live);
            }
        }
        self.health = hosts.health().to_vec();
        (self.seen.hosts, self.seen.health) = (edition, health);
    }

    /// Requests in flight, by level and host.
    fn active(&self) -> Option<Vec<Vec<u32>>> {
        let (bytes, live) = (self.board.active()?, self.live.as_ref()?);
        let mut levels: Vec<Vec<u32>> = Vec::new();
        for (at, count) in Published::actives(&bytes).enumerate() {
            let Some((priority, host)) = live.place(at) else {
                continue;
            };
            if levels.len() <= priority {
                levels.resize_with(priority + 1, Vec::new);
            }
            if let Some(level) = levels.get_mut(priority) {
                if level.len() <= host {
                    level.resize(host + 1, 0);
                }
                if let Some(active) = level.get_mut(host) {
                    *active = count;
                }
            }
        }
        Some(levels)
    }

    /// Brings the health of all hosts up to what was told last.
    pub(super) fn set_health(&self, plain: &mut PlainCluster) {
        let Some(live) = &self.live else {
            return;
        };
        for (at, told) in Published::healths(&self.health).enumerate() {
            let Some((priority, host)) = live.place(at) else {
                continue;
            };
            let level = plain.levels.get_mut(priority);
            let endpoint = level.and_then(|level| level.endpoints.get_mut(host));
            if let (Some(endpoint), Some(told)) = (endpoint, told) {
                endpoint.health = live.health(at, told);
            }
        }
    }

    /// Notes how old the news is, and says so when it has become too old.
    pub(super) fn age(&mut self, since: u64, now: u64, admin: &AdminHealth) {
        let age = now.saturating_sub(self.seen.polled_at.max(since));
        let stale = age > nanoseconds(admin.stale_after);
        self.freshness.record(age, stale);
        if stale == self.stale {
            return;
        }
        self.stale = stale;
        let name = &self.name;
        match (stale, admin.on_stale) {
            (false, _) => log::info!("spillgate: there is news of {name} again"),
            (true, OnStale::Keep) => {
                log::warn!("spillgate: no news of {name} for too long; what was known stays");
            }
            (true, OnStale::PassThrough) => {
                log::warn!(
                    "spillgate: no news of {name} for too long; Envoy balances it by itself"
                );
            }
        }
    }

    pub(super) fn trust(&self, admin: &AdminHealth) -> Trust {
        let known = |level: &Level| !level.endpoints.is_empty();
        if self.live.is_none() && !self.configured.iter().any(known) {
            return Trust::None;
        }
        match (self.stale, admin.on_stale) {
            (false, _) => Trust::Fresh,
            (true, OnStale::Keep) => Trust::Stale,
            (true, OnStale::PassThrough) => Trust::None,
        }
    }
}
