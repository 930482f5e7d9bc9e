//! Whether two priorities have the same hosts in all lists and hash tables.

use spillgate_core::{
    load::{HostClass, PriorityHealth},
    model::{Health, HealthStatus, OverrideStatuses},
    snapshot::{HashTable, HostSet, HostsSource, PriorityHosts, RendezvousHost, TableKind},
};

/// Whether anything reads the metadata of the hosts of clusters without subsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HostMetadata {
    Read,
    Ignored,
}

/// What is read of hosts beyond their addresses, weights and usability.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HostReads {
    pub(crate) metadata: HostMetadata,
    /// Whether anything distinguishes the status HEALTHY from UNKNOWN.
    pub(crate) statuses: bool,
}

/// Whether a cluster gives the statuses HEALTHY and UNKNOWN the same effect: sessions stay at hosts of both or of none.
pub(crate) const fn are_alike(statuses: OverrideStatuses) -> bool {
    statuses.contains(HealthStatus::Healthy) == statuses.contains(HealthStatus::Unknown)
}

/// The health without the difference of these two statuses.
pub(crate) const fn without_healthy(health: Health) -> Health {
    match health.status {
        HealthStatus::Healthy => Health {
            status: HealthStatus::Unknown,
            ..health
        },
        _ => health,
    }
}

/// The numbers of all, healthy, degraded and excluded hosts.
pub(crate) const fn counts(health: &PriorityHealth) -> [u32; 4] {
    [
        health.hosts,
        health.healthy,
        health.degraded,
        health.excluded,
    ]
}

/// Whether two priorities have the same hosts in all lists and tables, whatever their order.
pub(crate) fn same_hosts(
    (old, before): (&PriorityHosts, &HostSet),
    (new, after): (&PriorityHosts, &HostSet),
    reads: HostReads,
) -> bool {
    let named = |hosts: &PriorityHosts, set: &HostSet, source| -> Option<Vec<HostKey>> {
        let list = set.list(source);
        let keys = list.iter().map(|host| HostKey::of(hosts, host, reads));
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
pub(crate) struct HostKey {
    address: String,
    weight: u32,
    hash_key: String,
    health: String,
    metadata: Vec<u8>,
}

impl HostKey {
    pub(crate) fn of(hosts: &PriorityHosts, host: usize, reads: HostReads) -> Option<Self> {
        let endpoint = hosts.endpoint(host)?;
        let mut metadata = Vec::new();
        if reads.metadata == HostMetadata::Read {
            endpoint.metadata.canonical(&mut metadata);
        }
        let health = hosts.health(host);
        let health = if reads.statuses {
            health
        } else {
            without_healthy(health)
        };
        Some(Self {
            address: endpoint.address.clone(),
            weight: hosts.weight(host),
            hash_key: endpoint.hash_key().to_owned(),
            health: format!("{health:?}"),
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
