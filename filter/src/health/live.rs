//! A worker's view of the hosts: its configuration, with what the admin says of them over it.

use super::poller::Poller;
use super::trust::Trust;
use super::watched::Watched;
use crate::counters::Updates;
use spillgate_config::filter::{AdminHealth, Poll, PollerKind};
use spillgate_core::model::{Cluster, ClusterKind, FallbackChain, LocalInfo, Model};
use spillgate_core::snapshot::{ClusterId, Kind, Snapshot};

/// What is looked at on every tick.
pub(crate) struct Live {
    admin: AdminHealth,
    /// The model with the hosts that there are, as far as they are known.
    clusters: Vec<Cluster>,
    local: LocalInfo,
    chain: FallbackChain,
    watched: Vec<Watched>,
    /// Where every worker asks by itself.
    poller: Option<Poller>,
    /// Whether requests in flight are wanted too.
    wants_active: bool,
    /// When this began: nanoseconds since the epoch.
    since: u64,
    updates: Updates,
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

impl Live {
    /// Begins with what the configuration says.
    pub(crate) fn new(
        admin: AdminHealth,
        model: Model,
        snapshot: &Snapshot,
        wants_active: bool,
        now: u64,
    ) -> Self {
        let (local, chain) = (model.local().clone(), model.chain().clone());
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
