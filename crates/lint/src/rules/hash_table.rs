//! Rings and Maglev tables that are empty or too coarse for their hosts.

use alloc::{format, vec, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::FieldPlace;
use spillgate_core::{
    model::{
        DEFAULT_MAGLEV_TABLE_SIZE, DEFAULT_MINIMUM_RING_SIZE, Endpoint, HashBalanceFactor,
        MAXIMUM_RING_SIZE, PlainCluster, Policy, RingHashConfig,
    },
    order,
    snapshot::TableKind,
};

use crate::{
    context::{Context, Plain},
    figures::{alone, counted, only, percent},
    finding::{Finding, Severity},
    rule::Rule,
    sink::Sink,
};

/// The minimum size of a ring is 0, which makes every ring empty.
///
/// The cluster has no host for any request: 503.
pub(crate) static EMPTY_RING: Rule = Rule {
    id: "ring-hash-empty",
    severity: Severity::Error,
    summary: "RING_HASH ring with size 0: every request gets 503",
    check: empty_ring,
};

/// The ring has no entry for a host of a priority.
///
/// Such a host gets no requests.
pub(crate) static SMALL_RING: Rule = Rule {
    id: "ring-hash-small",
    severity: Severity::Error,
    summary: "RING_HASH ring without an entry for each host: some hosts get no requests",
    check: small_ring,
};

/// The ring or table is so small that the shares of hosts are far from their weights.
///
/// A host gets a quarter more than its share and at least 5 percentage points, as if one of five hosts
/// had failed, or a tenth of the requests goes to other hosts than the weights intend. Bounded load
/// (`hash_balance_factor`) evens the load, so clusters with it have no finding.
pub(crate) static UNEVEN: Rule = Rule {
    id: "hash-table-uneven",
    severity: Severity::Warning,
    summary: "ring or Maglev table so small that the shares of hosts are far from their weights",
    check: uneven,
};

/// A host with more than this multiple of its share is overloaded: with one of five hosts failed,
/// the others get 1.25 times theirs.
const OVERLOAD: f64 = 1.25;
/// A smaller excess, in percentage points, does not matter to a host.
const EXCESS: f64 = 5.0;
/// The share of requests on wrong hosts, in percent, from which the table is too coarse as a whole.
const MISPLACED: f64 = 10.0;

/// The entries per host after which shares are within about 10 percent of the weights.
const ENTRIES_PER_HOST: u64 = 128;

/// A host of a table.
struct TableHost {
    /// Its index in the priority.
    host: usize,
    /// The share that its weight asks for, in percent.
    intended: f64,
    /// The share of the hashes that lead to it, in percent.
    share: f64,
    /// The number of its entries.
    entries: usize,
}

/// The hosts of the table of each priority with hosts, by priority number.
fn tables(cluster: &Plain<'_>) -> Vec<(usize, Vec<TableHost>)> {
    // Bounded load keeps the weights of a table.
    let whole = PlainCluster {
        hash_balance_factor: HashBalanceFactor::new(200),
        subsets: None,
        ..cluster.plain.clone()
    };
    let snapshot = alone(cluster.name(), whole);
    let Some(plain) = only(&snapshot) else {
        return Vec::new();
    };
    let sets = plain.whole.priorities.iter().enumerate();
    let found = sets.filter_map(|(number, set)| {
        let table = set.table.as_ref()?;
        let hosts = cluster.plain.priorities.get(number)?.endpoints.len();
        let counts = counts(&table.kind, hosts)?;
        let weights = &table.bounded.as_ref()?.hosts;
        // The weight of a locality without usable hosts is lost.
        let sum: f64 = weights.iter().map(|weighted| weighted.weight).sum();
        let hosts = weights.iter().map(|weighted| {
            let (share, entries) = counts.get(weighted.host).copied().unwrap_or_default();
            TableHost {
                host: weighted.host,
                intended: 100.0 * weighted.weight / sum,
                share,
                entries,
            }
        });
        Some((number, hosts.collect::<Vec<_>>()))
    });
    found.filter(|(_, hosts)| !hosts.is_empty()).collect()
}

/// By host: its share of the hashes in percent, and its entries.
fn counts(table: &TableKind, hosts: usize) -> Option<Vec<(f64, usize)>> {
    let mut counts = vec![(0.0, 0); hosts];
    let mut add = |host: usize, share: f64| {
        if let Some((sum, entries)) = counts.get_mut(host) {
            *sum += share;
            *entries += 1;
        }
    };
    match table {
        TableKind::Ring(ring) => {
            for (host, arc) in ring.arcs() {
                add(host, 100.0 * arc as f64 / 18_446_744_073_709_551_616.0);
            }
        }
        TableKind::Maglev(table) => {
            let slots = table.slots();
            for &host in slots {
                add(host as usize, 100.0 / slots.len() as f64);
            }
        }
        TableKind::Rendezvous(_) => return None,
    }
    Some(counts)
}

/// The clusters with rings.
fn rings<'c>(context: &Context<'c>) -> impl Iterator<Item = (Plain<'c>, RingHashConfig)> {
    context
        .plains()
        .filter_map(|cluster| match cluster.plain.policy {
            Policy::RingHash(config) => Some((cluster, config)),
            _ => None,
        })
}

/// The place of a ring size.
fn ring_size(cluster: &Plain<'_>, field: &str) -> FieldPlace {
    cluster.policy_setting("ring_hash_lb_config", field)
}

/// Sets the minimum size, and the maximum size if it is lower.
fn enlarge(finding: &mut Finding, cluster: &Plain<'_>, config: &RingHashConfig, size: u64) {
    finding.set(ring_size(cluster, "minimum_ring_size"), format!("{size}"));
    if config.maximum_ring_size() < size {
        finding.set(ring_size(cluster, "maximum_ring_size"), format!("{size}"));
    }
}

/// Finds rings of size 0.
fn empty_ring(context: &Context<'_>, sink: &mut Sink) {
    for (cluster, config) in rings(context) {
        if config.minimum_ring_size() > 0 {
            continue;
        }
        let cause = format!(
            "the ring of cluster {} has minimum_ring_size 0, which makes it empty",
            quoted(cluster.name())
        );
        let effect = "100 % of requests get 503";
        let fix = "remove minimum_ring_size (default 1024)";
        let place = ring_size(&cluster, "minimum_ring_size");
        let finding = sink.add(&place, cause, effect, fix);
        enlarge(finding, &cluster, &config, DEFAULT_MINIMUM_RING_SIZE);
    }
}

/// Finds rings without an entry for some hosts.
fn small_ring(context: &Context<'_>, sink: &mut Sink) {
    for (cluster, config) in rings(context).filter(|(_, config)| config.minimum_ring_size() > 0) {
        let tables = tables(&cluster);
        let without = |hosts: &[TableHost]| hosts.iter().filter(|host| host.entries == 0).count();
        let Some((number, hosts)) = tables.iter().find(|(_, hosts)| without(hosts) > 0) else {
            continue;
        };
        let entries: usize = hosts.iter().map(|host| host.entries).sum();
        let cause = format!(
            "the ring of cluster {} has {} for {} of priority {number}",
            quoted(cluster.name()),
            entries_of(entries),
            counted(hosts.len(), "host")
        );
        let effect = format!(
            "0 % of requests go to {} of {}",
            without(hosts),
            counted(hosts.len(), "host")
        );
        let fix = "raise minimum_ring_size (default 1024) and maximum_ring_size";
        let place = ring_size(&cluster, "maximum_ring_size");
        let finding = sink.add(&place, cause, effect, fix);
        enlarge(finding, &cluster, &config, even_size(hosts.len(), entries));
    }
}

/// `1 entry`, `12 entries`.
fn entries_of(count: usize) -> alloc::string::String {
    match count {
        1 => "1 entry".into(),
        _ => format!("{count} entries"),
    }
}

/// A ring size that is large enough for the hosts, and larger than now.
fn even_size(hosts: usize, entries: usize) -> u64 {
    let wanted = ENTRIES_PER_HOST.saturating_mul(hosts as u64);
    let size = wanted.max(4 * entries as u64).next_power_of_two();
    size.clamp(DEFAULT_MINIMUM_RING_SIZE, MAXIMUM_RING_SIZE)
}

/// Finds tables with shares far from the weights.
fn uneven(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        if !matches!(
            cluster.plain.policy,
            Policy::RingHash(_) | Policy::Maglev(_)
        ) || cluster.plain.hash_balance_factor.is_some()
            || has_enough_slots(cluster.plain)
        {
            continue;
        }
        let tables = tables(&cluster);
        let hosts_without = |hosts: &[TableHost]| hosts.iter().any(|host| host.entries == 0);
        if tables.iter().any(|(_, hosts)| hosts_without(hosts)) {
            continue;
        }
        let mut uneven = tables
            .iter()
            .filter(|(number, _)| has_distinct_keys(&cluster, *number));
        if let Some((number, hosts)) = uneven.find(|(_, hosts)| is_uneven(hosts)) {
            report_uneven(&cluster, *number, hosts, sink);
        }
    }
}

/// Whether a Maglev table has so many slots for its hosts that their shares are never far from their weights.
///
/// A host takes its turns in proportion to its weight, at most one early, and at most one more in the last round. Its
/// excess is therefore at most two slots.
fn has_enough_slots(cluster: &PlainCluster) -> bool {
    let Policy::Maglev(config) = &cluster.policy else {
        return false;
    };
    let hosts = cluster.priorities.iter().map(|of| of.endpoints.len());
    let excess = 2 * hosts.max().unwrap_or(0).max(1);
    100.0 * (excess as f64) < EXCESS.min(MISPLACED) * f64::from(config.table_size())
}

/// Whether each host of a priority has its own entries: those of one key are the same.
fn has_distinct_keys(cluster: &Plain<'_>, number: usize) -> bool {
    let endpoints = cluster
        .plain
        .priorities
        .get(number)
        .map(|priority| &priority.endpoints);
    let keys: Vec<&str> = endpoints
        .into_iter()
        .flatten()
        .map(Endpoint::hash_key)
        .collect();
    let keys = order::sorted(keys, Ord::cmp);
    keys.windows(2).all(|pair| pair.first() != pair.last())
}

/// Whether shares are far from the weights.
fn is_uneven(hosts: &[TableHost]) -> bool {
    let excess = |host: &TableHost| host.share - host.intended;
    let overloaded =
        |host: &TableHost| host.share >= OVERLOAD * host.intended && excess(host) >= EXCESS;
    let misplaced: f64 = hosts.iter().map(|host| excess(host).max(0.0)).sum();
    misplaced >= MISPLACED || hosts.iter().any(overloaded)
}

/// Reports the host with the largest excess.
fn report_uneven(cluster: &Plain<'_>, number: usize, hosts: &[TableHost], sink: &mut Sink) {
    let worst = hosts.iter().max_by(|a, b| {
        let excess = |host: &TableHost| host.share - host.intended;
        excess(a).total_cmp(&excess(b))
    });
    let priority = cluster.plain.priorities.get(number);
    let Some((worst, endpoint)) =
        worst.and_then(|worst| Some((worst, priority?.endpoints.get(worst.host)?)))
    else {
        return;
    };
    let entries: usize = hosts.iter().map(|host| host.entries).sum();
    let effect = format!(
        "{} gets {} of the priority's requests instead of {}",
        endpoint.address,
        percent(worst.share),
        percent(worst.intended)
    );
    let of = counted(hosts.len(), "host");
    match &cluster.plain.policy {
        Policy::RingHash(config) => {
            let cause = format!(
                "the ring of cluster {} has {} for {of} of priority {number}",
                quoted(cluster.name()),
                entries_of(entries)
            );
            let fix = "raise minimum_ring_size to at least 100 entries per host (default 1024)";
            // The maximum size is the limit of a ring that the minimum size asks to be larger.
            let field = if config.minimum_ring_size() == config.maximum_ring_size() {
                "maximum_ring_size"
            } else {
                "minimum_ring_size"
            };
            let place = ring_size(cluster, field);
            let finding = sink.add(&place, cause, effect, fix);
            enlarge(finding, cluster, config, even_size(hosts.len(), entries));
        }
        _ => {
            let cause = format!(
                "the Maglev table of cluster {} has {entries} slots for {of} of priority {number}",
                quoted(cluster.name())
            );
            let fix = "use a prime table_size of at least 100 per host (default 65537)";
            let place = cluster.policy_setting("maglev_lb_config", "table_size");
            sink.add(&place, cause, effect, fix)
                .set(&place.path, format!("{DEFAULT_MAGLEV_TABLE_SIZE}"));
        }
    }
}
