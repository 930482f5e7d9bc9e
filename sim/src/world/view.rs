//! What a gateway balances over: a snapshot of what it has heard.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::{
    affinity::{HostId, TokenKey},
    decide::State,
    draw::SplitMix64,
    model::{ClusterKind, Endpoint, Health, Level, Metadata, Model},
    snapshot::{ClusterId, HostRef, Snapshot},
};

use super::{Layout, ground::News};

/// A snapshot, and which host is which in it.
#[derive(Debug)]
pub(super) struct View {
    pub(super) snapshot: Snapshot,
    pub(super) state: State,
    /// Its hosts and their numbers in the layout, sorted.
    hosts: Vec<(HostRef, usize)>,
    /// The clusters that requests are for, and their weights.
    pub(super) targets: Vec<(ClusterId, u32)>,
    /// What it was made of.
    of: Vec<Arc<News>>,
}

impl View {
    pub(super) fn new(layout: &Layout, heard: &[Arc<News>], draw: &mut SplitMix64) -> Self {
        let (snapshot, hosts) = build(layout, heard);
        Self {
            state: State::new(&snapshot, draw),
            targets: targets(layout, &snapshot),
            snapshot,
            hosts,
            of: heard.to_vec(),
        }
    }

    pub(super) fn is_of(&self, heard: &[Arc<News>]) -> bool {
        self.of.iter().zip(heard).all(|(a, b)| Arc::ptr_eq(a, b))
    }

    /// The view of later news. Where only the health of hosts is new, the rest stays.
    pub(super) fn changed(
        self,
        layout: &Layout,
        heard: &[Arc<News>],
        draw: &mut SplitMix64,
    ) -> Self {
        let (snapshot, hosts) = match self.new_health(heard) {
            Some(changes) => (self.snapshot.with_health(&changes), self.hosts),
            None => build(layout, heard),
        };
        Self {
            state: self.state.carried_over(&self.snapshot, &snapshot, draw),
            targets: targets(layout, &snapshot),
            snapshot,
            hosts,
            of: heard.to_vec(),
        }
    }

    /// The hosts with another health; `None` where more than that is new.
    fn new_health(&self, heard: &[Arc<News>]) -> Option<Vec<(HostRef, Health)>> {
        let mut changes = Vec::new();
        for (old, new) in self.of.iter().zip(heard) {
            if Arc::ptr_eq(old, new) {
                continue;
            }
            if old.hosts.len() != new.hosts.len() {
                return None;
            }
            for (old, new) in old.hosts.iter().zip(&new.hosts) {
                let rest = (old.host, old.level) == (new.host, new.level);
                if !rest || !same(&old.metadata, &new.metadata) {
                    return None;
                }
                if old.health != new.health {
                    let place = self.hosts.iter().find(|(_, host)| *host == new.host);
                    changes.extend(place.map(|(place, _)| (*place, new.health)));
                }
            }
        }
        Some(changes)
    }

    /// The number of a host of the snapshot.
    pub(super) fn number(&self, host: HostRef) -> Option<usize> {
        let at = self.hosts.binary_search_by_key(&host, |(host, _)| *host);
        self.hosts.get(at.ok()?).map(|(_, number)| *number)
    }

    /// The host that a token names under a key.
    pub(super) fn named(&self, layout: &Layout, key: &TokenKey, id: HostId) -> Option<HostRef> {
        let name = |host| key.host_id(layout.cluster_of(host), layout.address(host));
        let found = self.hosts.iter().find(|(_, host)| name(*host) == id);
        found.map(|(host, _)| *host)
    }
}

/// Copies share their fields, which mostly settles it.
fn same(a: &Metadata, b: &Metadata) -> bool {
    core::ptr::eq(a.fields(), b.fields()) || a == b
}

fn targets(layout: &Layout, snapshot: &Snapshot) -> Vec<(ClusterId, u32)> {
    let targets = layout.targets.iter();
    let id = |at: usize| snapshot.cluster_id(&layout.bare.get(at)?.name);
    targets
        .filter_map(|&(at, weight)| Some((id(at)?, weight)))
        .collect()
}

/// Everything anew, as from a configuration.
fn build(layout: &Layout, heard: &[Arc<News>]) -> (Snapshot, Vec<(HostRef, usize)>) {
    let mut clusters = layout.bare.clone();
    for (cluster, news) in clusters.iter_mut().zip(heard) {
        if let ClusterKind::Plain(plain) = &mut cluster.kind {
            settle(layout, news, &mut plain.levels);
        }
    }
    // The layout's own model had the same names and members.
    let model = Model::new(clusters).unwrap_or_default();
    let model = model
        .with_local(layout.model.local().clone())
        .with_chain(layout.model.chain().clone());
    let snapshot = Snapshot::build(&model);
    let mut hosts = Vec::new();
    for ((id, _), news) in snapshot.clusters().zip(heard) {
        let mut lengths: Vec<usize> = Vec::new();
        for report in &news.hosts {
            if lengths.len() <= report.level {
                lengths.resize(report.level + 1, 0);
            }
            let Some(length) = lengths.get_mut(report.level) else {
                continue;
            };
            let place = HostRef {
                cluster: id,
                priority: report.level,
                host: *length,
            };
            *length += 1;
            hosts.push((place, report.host));
        }
    }
    hosts.sort_unstable();
    (snapshot, hosts)
}

/// Puts the hosts where they stand.
fn settle(layout: &Layout, news: &News, levels: &mut Vec<Level>) {
    for report in &news.hosts {
        let Some(site) = layout.sites.get(report.host) else {
            continue;
        };
        if levels.len() <= report.level {
            levels.resize_with(report.level + 1, Level::default);
        }
        let Some(level) = levels.get_mut(report.level) else {
            continue;
        };
        let known = level.localities.iter();
        let mut known = known.map(|of| &of.locality);
        let locality = known.position(|locality| *locality == site.locality.locality);
        let locality = locality.unwrap_or_else(|| {
            level.localities.push(site.locality.clone());
            level.localities.len() - 1
        });
        level.endpoints.push(Endpoint {
            health: report.health,
            metadata: report.metadata.clone(),
            locality,
            ..site.endpoint.clone()
        });
    }
}
