//! Whether the compiled decisions of two clusters are the same while their hosts keep their health.

use std::sync::Arc;

use spillgate_core::{
    load::{AggregateLoad, HostClass, PriorityHealth},
    model::{ClusterKind, Model, PlainCluster, Policy, SubsetSelector},
    snapshot::{
        AggregateSnapshot, ClusterId, ClusterSnapshotKind, HashTable, HostSet, HostsSource,
        PlainSnapshot, PriorityHosts, PrioritySet, RendezvousHost, Snapshot, TableKind,
    },
};

use crate::canonical::canonical;

/// The clusters of a side, configured and compiled.
#[derive(Clone, Copy)]
pub(crate) struct Compiled<'m> {
    pub(crate) model: &'m Model,
    pub(crate) snapshot: &'m Snapshot,
}

impl<'m> Compiled<'m> {
    fn kind(&self, cluster: ClusterId) -> Option<&'m ClusterSnapshotKind> {
        Some(&self.snapshot.cluster(cluster)?.kind)
    }

    fn plain(&self, cluster: ClusterId) -> Option<&'m PlainCluster> {
        let name = &self.snapshot.cluster(cluster)?.name;
        match &self.model.cluster(name)?.kind {
            ClusterKind::Plain(plain) => Some(plain),
            _ => None,
        }
    }
}

/// Whether no request to these clusters differs while hosts keep their health. Never true by mistake; false for
/// some clusters whose decisions are the same.
pub(crate) fn same(before: (Compiled<'_>, ClusterId), after: (Compiled<'_>, ClusterId)) -> bool {
    let kinds = (before.0.kind(before.1), after.0.kind(after.1));
    match kinds {
        (Some(ClusterSnapshotKind::Plain(old)), Some(ClusterSnapshotKind::Plain(new))) => {
            let configured = (before.0.plain(before.1), after.0.plain(after.1));
            let (Some(before), Some(after)) = configured else {
                return false;
            };
            same_plain(old, new, subset_order(before, after))
        }
        (Some(ClusterSnapshotKind::Aggregate(old)), Some(ClusterSnapshotKind::Aggregate(new))) => {
            same_aggregate((before.0, old), (after.0, new))
        }
        (Some(ClusterSnapshotKind::Composite(old)), Some(ClusterSnapshotKind::Composite(new))) => {
            let pairs = old.members.iter().zip(&new.members);
            let mut pairs = pairs.map(|pair| same_members((before.0, after.0), pair));
            old.skips == new.skips
                && old.members.len() == new.members.len()
                && pairs.all(|same| same)
        }
        (
            Some(ClusterSnapshotKind::OriginalDst(old)),
            Some(ClusterSnapshotKind::OriginalDst(new)),
        ) => old == new,
        _ => false,
    }
}

fn same_members(
    (before, after): (Compiled<'_>, Compiled<'_>),
    pair: (&Option<ClusterId>, &Option<ClusterId>),
) -> bool {
    match pair {
        (Some(old), Some(new)) => same((before, *old), (after, *new)),
        (old, new) => old.is_none() && new.is_none(),
    }
}

fn same_aggregate(
    (before, old): (Compiled<'_>, &AggregateSnapshot),
    (after, new): (Compiled<'_>, &AggregateSnapshot),
) -> bool {
    let members = old.members.len() == new.members.len()
        && (old.members.iter().zip(&new.members))
            .all(|(old, new)| same((before, *old), (after, *new)));
    let line = |of: &AggregateLoad<ClusterId>, members: &[ClusterId]| {
        let place = |cluster| members.iter().position(|member| *member == cluster);
        let priorities = of.priorities.iter();
        let places: Vec<_> = priorities
            .map(|priority| (place(priority.cluster), priority.number))
            .collect();
        let health: Vec<_> = of.health.iter().map(counts).collect();
        (places, health, of.load.clone())
    };
    members
        && old.chain.is_empty()
        && new.chain.is_empty()
        && line(&old.linearized, &old.members) == line(&new.linearized, &new.members)
}

/// How the subsets of two clusters correspond.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SubsetOrder {
    /// They have the same numbers: the same settings, and the same hosts in the same order.
    Same,
    /// Both have the same subsets, perhaps under other numbers: the hosts have another order.
    Other,
    /// They may be others.
    Unknown,
}

fn subset_order(before: &PlainCluster, after: &PlainCluster) -> SubsetOrder {
    if before.subsets != after.subsets {
        return SubsetOrder::Unknown;
    }
    if before.priorities == after.priorities {
        return SubsetOrder::Same;
    }
    // The order of hosts decides which one is the only host of its subset.
    let selectors = before.subsets.iter().flat_map(|subsets| &subsets.selectors);
    let mut single = selectors.map(SubsetSelector::single_host_per_subset);
    if !single.any(|single| single) && canonical(before).priorities == canonical(after).priorities {
        SubsetOrder::Other
    } else {
        SubsetOrder::Unknown
    }
}

/// The most subsets whose numbers are compared in any order: each with each other one.
const MOST_SUBSETS: usize = 200;

fn same_plain(old: &PlainSnapshot, new: &PlainSnapshot, order: SubsetOrder) -> bool {
    if !old.chain.is_empty() || !new.chain.is_empty() {
        return false;
    }
    let subsets = match (&old.subsets, &new.subsets) {
        (None, None) => true,
        (Some(before), Some(after)) if before.sets.len() == after.sets.len() => {
            let mut pairs = before.sets.iter().zip(&after.sets);
            let same = |(before, after): (&Arc<PrioritySet>, &Arc<PrioritySet>)| {
                same_set((old, before), (new, after))
            };
            match order {
                SubsetOrder::Same => pairs.all(same),
                SubsetOrder::Other => {
                    let mut sets = before.sets.iter();
                    before.sets.len() <= MOST_SUBSETS
                        && sets.all(|set| after.sets.iter().any(|other| same((set, other))))
                }
                SubsetOrder::Unknown => false,
            }
        }
        _ => false,
    };
    // Only a priority in panic mode reads `fail_traffic_on_panic`.
    let panics = old.whole.load.panic.contains(&true) || old.subsets.is_some();
    let locality_lb = !panics || old.settings.locality_lb == new.settings.locality_lb;
    subsets
        && locality_lb
        && acting(&old.settings) == acting(&new.settings)
        && old.priorities.len() == new.priorities.len()
        && same_set((old, &old.whole), (new, &new.whole))
}

/// The settings that decide about requests while hosts keep their health. The others act through the loads of
/// priorities and localities only.
fn acting(settings: &PlainCluster) -> PlainCluster {
    PlainCluster {
        panic_threshold: PlainCluster::default().panic_threshold,
        overprovisioning_factor: PlainCluster::default().overprovisioning_factor,
        weighted_priority_health: false,
        locality_lb: Default::default(),
        policy: match settings.policy {
            // Their tables are compared.
            Policy::RingHash(_) => Policy::RingHash(Default::default()),
            Policy::Maglev(_) => Policy::Maglev(Default::default()),
            other => other,
        },
        ..settings.clone()
    }
}

fn same_set(
    (old, before): (&PlainSnapshot, &PrioritySet),
    (new, after): (&PlainSnapshot, &PrioritySet),
) -> bool {
    if before.load != after.load || before.priorities.len() != after.priorities.len() {
        return false;
    }
    let hosts = old.priorities.iter().zip(&new.priorities);
    let sets = before.priorities.iter().zip(&after.priorities);
    hosts.zip(sets).all(|((old, new), (before, after))| {
        counts(&before.health) == counts(&after.health) && same_hosts((old, before), (new, after))
    })
}

/// The numbers of all, healthy, degraded and excluded hosts.
const fn counts(health: &PriorityHealth) -> [u32; 4] {
    [
        health.hosts,
        health.healthy,
        health.degraded,
        health.excluded,
    ]
}

/// Whether two priorities have the same hosts in all lists and tables, whatever their order.
fn same_hosts(
    (old, before): (&PriorityHosts, &HostSet),
    (new, after): (&PriorityHosts, &HostSet),
) -> bool {
    let named = |hosts: &PriorityHosts, set: &HostSet, source| -> Option<Vec<HostKey>> {
        let list = set.list(source);
        let keys = list.iter().map(|host| HostKey::of(hosts, host));
        let mut keys = keys.collect::<Option<Vec<HostKey>>>()?;
        keys.sort();
        Some(keys)
    };
    let same_list = |source| {
        let (a, b) = (named(old, before, source), named(new, after, source));
        a.is_some() && a == b
    };
    let classes = [HostClass::Healthy, HostClass::Degraded];
    let lists = same_list(HostsSource::All)
        && classes
            .into_iter()
            .all(|class| same_list(HostsSource::Class(class)));
    let localities = match (&before.localities, &after.localities) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            a.weights == b.weights
                && a.zones == b.zones
                && a.count() == b.count()
                && classes.into_iter().all(|class| {
                    (0..a.count()).all(|at| same_list(HostsSource::Locality(class, at)))
                })
        }
        _ => false,
    };
    let tables = match (&before.table, &after.table) {
        (None, None) => true,
        (Some(a), Some(b)) => same_table((old, a), (new, b)),
        _ => false,
    };
    lists && localities && tables
}

/// What distinguishes hosts for requests.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct HostKey {
    address: String,
    weight: u32,
    hash_key: String,
    health: String,
    metadata: Vec<u8>,
}

impl HostKey {
    fn of(hosts: &PriorityHosts, host: usize) -> Option<Self> {
        let endpoint = hosts.endpoint(host)?;
        let mut metadata = Vec::new();
        endpoint.metadata.canonical(&mut metadata);
        Some(Self {
            address: endpoint.address.clone(),
            weight: hosts.weight(host),
            hash_key: endpoint.hash_key().to_owned(),
            health: format!("{:?}", hosts.health(host)),
            metadata,
        })
    }
}

/// Whether two hash tables have the same address for each hash.
fn same_table(
    (old, before): (&PriorityHosts, &HashTable),
    (new, after): (&PriorityHosts, &HashTable),
) -> bool {
    let address = |hosts: &PriorityHosts, host: usize| {
        let endpoint = hosts.endpoint(host);
        endpoint.map(|endpoint| endpoint.address.clone())
    };
    let same = |a: usize, b: usize| {
        let found = address(old, a);
        found.is_some() && found == address(new, b)
    };
    let bounded = match (&before.bounded, &after.bounded) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            let mut pairs = a.hosts.iter().zip(&b.hosts);
            a.hosts.len() == b.hosts.len()
                && pairs.all(|(a, b)| a.weight == b.weight && same(a.host, b.host))
        }
        _ => false,
    };
    bounded
        && match (&before.kind, &after.kind) {
            (TableKind::Ring(a), TableKind::Ring(b)) => {
                let mut pairs = a.entries().iter().zip(b.entries());
                a.entries().len() == b.entries().len()
                    && pairs.all(|(a, b)| a.hash == b.hash && same(a.host, b.host))
            }
            (TableKind::Maglev(a), TableKind::Maglev(b)) => {
                let mut pairs = a.slots().iter().zip(b.slots());
                a.slots().len() == b.slots().len()
                    && pairs.all(|(a, b)| same(*a as usize, *b as usize))
            }
            (TableKind::Rendezvous(a), TableKind::Rendezvous(b)) => {
                let sorted = |of: &[RendezvousHost]| {
                    let mut hosts = of.to_vec();
                    hosts.sort_by_key(|host| (host.key, host.weight));
                    hosts
                };
                let same = |(a, b): (&RendezvousHost, &RendezvousHost)| {
                    a.key == b.key && a.weight == b.weight && same(a.host as usize, b.host as usize)
                };
                // A host's score depends on its own key only. Hosts with one key have equal scores, of which the
                // first one wins.
                let in_order =
                    |a: &[RendezvousHost], b: &[RendezvousHost]| a.iter().zip(b).all(same);
                let (old, new) = (sorted(a), sorted(b));
                let distinct = old.windows(2).all(|pair| match pair {
                    [a, b] => a.key != b.key,
                    _ => true,
                });
                a.len() == b.len() && (in_order(a, b) || distinct && in_order(&old, &new))
            }
            _ => false,
        }
}
