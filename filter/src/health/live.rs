//! A worker's view of the hosts: its configuration, with what the admin says of them over it.

use super::board::{Board, Versions};
use super::poller::{Poller, nanoseconds};
use crate::counters::{Freshness, Updates};
use spillgate_config::clusters::{LiveHosts, Published};
use spillgate_config::envoy::read_levels;
use spillgate_config::filter::{AdminHealth, OnStale, Poll, PollerKind};
use spillgate_core::model::{
    ChainStep, Cluster, ClusterKind, Health, Level, LocalInfo, Model, PlainCluster,
};
use spillgate_core::snapshot::{ClusterId, HostRef, Kind, Snapshot};

/// What is looked at on every tick.
pub(crate) struct Live {
    admin: AdminHealth,
    /// The model with the hosts that there are, as far as they are known.
    clusters: Vec<Cluster>,
    local: LocalInfo,
    chain: Vec<ChainStep>,
    watched: Vec<Watched>,
    /// Where every worker asks by itself.
    poller: Option<Poller>,
    /// Whether requests in flight are wanted too.
    wants_active: bool,
    /// When this began: nanoseconds since the epoch.
    since: u64,
    updates: Updates,
}

/// A cluster with endpoints.
struct Watched {
    id: ClusterId,
    name: String,
    board: Board,
    /// The levels of the configuration, or of the last dump where that has none.
    configured: Vec<Level>,
    /// Whether the metadata of endpoints come from a dump.
    wants_assignment: bool,
    hashes: bool,
    /// The editions that were taken.
    seen: Versions,
    live: Option<LiveHosts>,
    /// The health that was told last, to see who has changed.
    health: Vec<u8>,
    stale: bool,
    freshness: Freshness,
}

/// What came of looking.
#[derive(Default)]
pub(crate) struct Change {
    /// The clusters as they are now, where anything is new.
    pub(crate) snapshot: Option<Snapshot>,
    /// Whether hosts came or went, so that their numbers mean something else.
    pub(crate) members: bool,
    /// New counts of requests in flight: by cluster, by level, by host.
    pub(crate) active: Vec<(ClusterId, Vec<Vec<u32>>)>,
}

/// How far what is known of a cluster can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The admin has told it lately, or the configuration does.
    Fresh,
    /// It was told some time ago and goes on counting.
    Stale,
    /// Nothing is known, or nothing that may still count: Envoy balances by itself.
    None,
}

impl Live {
    /// Begins with what the configuration says.
    pub(crate) fn new(
        admin: AdminHealth,
        model: Model,
        snapshot: &Snapshot,
        wants_active: bool,
        now: u64,
    ) -> Self {
        let (local, chain) = (model.local().clone(), model.chain().to_vec());
        let mut clusters = model.into_clusters();
        let mut watched = Vec::new();
        for ((id, _), cluster) in snapshot.clusters().zip(&mut clusters) {
            if let ClusterKind::Plain(plain) = &mut cluster.kind {
                watched.push(Watched::new(
                    id,
                    &cluster.name,
                    plain,
                    &admin,
                    !chain.is_empty(),
                ));
            }
        }
        let poller = (admin.poller == PollerKind::Worker).then(|| {
            let wants_assignment = watched.iter().any(|watched| watched.wants_assignment);
            Poller::among_others(Poll {
                cluster: admin.cluster.clone(),
                targets: watched.iter().map(|watched| watched.name.clone()).collect(),
                interval: admin.interval,
                metadata_interval: wants_assignment.then_some(admin.metadata_interval),
            })
        });
        Self {
            admin,
            clusters,
            local,
            chain,
            watched,
            poller,
            wants_active,
            since: now,
            updates: Updates::default(),
        }
    }

    /// Asks the admin where this worker does so itself.
    pub(crate) fn poll(&mut self, now: u64, draw: impl FnMut() -> u64) {
        if let Some(poller) = &mut self.poller {
            poller.tick(now, draw);
        }
    }

    /// Takes the answer to a call.
    pub(crate) fn answered(&mut self, token: u32, size: usize, now: u64) {
        if let Some(poller) = &mut self.poller {
            poller.answered(token, size, now);
        }
    }

    /// Looks what is new since the last time; `snapshot` is how the clusters were then.
    pub(crate) fn look(&mut self, snapshot: &Snapshot, now: u64) -> Change {
        let mut change = Change::default();
        let mut healths = Vec::new();
        for watched in &mut self.watched {
            let news = watched.look(self.wants_active);
            if let Some(levels) = news.levels
                && let Some(ClusterKind::Plain(plain)) = self
                    .clusters
                    .get_mut(watched.id.index())
                    .map(|c| &mut c.kind)
            {
                plain.levels = levels;
                change.members = true;
            }
            healths.extend(news.healths);
            change
                .active
                .extend(news.active.map(|active| (watched.id, active)));
            watched.age(self.since, now, &self.admin);
        }
        if change.members {
            self.updates.rebuilt();
            change.snapshot = Some(self.rebuilt());
        } else if !healths.is_empty() {
            self.updates.updated();
            change.snapshot = Some(snapshot.with_health(&healths));
        }
        change
    }

    /// Everything anew, after hosts came or went.
    fn rebuilt(&mut self) -> Snapshot {
        for watched in &self.watched {
            let cluster = self.clusters.get_mut(watched.id.index());
            if let Some(ClusterKind::Plain(plain)) = cluster.map(|cluster| &mut cluster.kind) {
                watched.set_health(plain);
            }
        }
        // The names are those of before, so there is nothing to refuse.
        let model = Model::new(std::mem::take(&mut self.clusters)).unwrap_or_default();
        let model = model.with_local(self.local.clone());
        let model = model.with_chain(self.chain.clone());
        let snapshot = Snapshot::build(&model);
        self.clusters = model.into_clusters();
        snapshot
    }

    /// How far each cluster can be relied on, by its number. An aggregate is as good as the worst
    /// of its members.
    pub(crate) fn trust(&self, snapshot: &Snapshot) -> Vec<Trust> {
        let own = |id: ClusterId| {
            let watched = self.watched.iter().find(|watched| watched.id == id);
            watched.map_or(Trust::Fresh, |watched| watched.trust(&self.admin))
        };
        snapshot
            .clusters()
            .map(|(id, cluster)| match &cluster.kind {
                Kind::Aggregate(aggregate) => {
                    let members = aggregate.members.iter().map(|&member| own(member));
                    members.fold(Trust::Fresh, Trust::worse)
                }
                Kind::Plain(_) | Kind::OriginalDst(_) => own(id),
            })
            .collect()
    }
}

/// What is new about one cluster.
#[derive(Default)]
struct News {
    levels: Option<Vec<Level>>,
    healths: Vec<(HostRef, Health)>,
    active: Option<Vec<Vec<u32>>>,
}

impl Watched {
    fn new(
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

    fn look(&mut self, wants_active: bool) -> News {
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
    fn set_health(&self, plain: &mut PlainCluster) {
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
    fn age(&mut self, since: u64, now: u64, admin: &AdminHealth) {
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

    fn trust(&self, admin: &AdminHealth) -> Trust {
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

impl Trust {
    /// The lesser of two.
    fn worse(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, _) | (_, Self::None) => Self::None,
            (Self::Stale, _) | (_, Self::Stale) => Self::Stale,
            (Self::Fresh, Self::Fresh) => Self::Fresh,
        }
    }
}
