//! The keys that a change moves to another host.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_core::{
    inspect::keys_moved,
    load::choose_priority,
    model::{CoarseHealth, Metadata},
    snapshot::{ClusterId, HashTable, PlainSnapshot, Snapshot, TableKind},
};

/// The keys that move, in percent of all keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeysDiff {
    /// The percentage of keys whose host is another one, or none.
    pub moved: f64,
    /// The percentage of keys that move although their old host still exists and is healthy.
    pub avoidable: f64,
    /// Whether the percentages come from the hash tables. If not, from 65,536 evenly spaced hashes.
    pub exact: bool,
}

/// The keys that move between two clusters, for requests with these subset criteria. `None` if hashes do not
/// choose the host on both sides.
#[must_use]
pub fn keys_diff(
    before: (&Snapshot, ClusterId),
    after: (&Snapshot, ClusterId),
    criteria: &Metadata,
) -> Option<KeysDiff> {
    if let (Some(old), Some(new)) = (before.0.plain(before.1), after.0.plain(after.1)) {
        if !(old.settings.policy.hashes() && new.settings.policy.hashes()) {
            return None;
        }
        if let Some(found) = of_tables(old, new) {
            return Some(found);
        }
    }
    let name = &before.0.cluster(before.1)?.name;
    // Clusters of two names are compared by their tables only.
    let same_name = after.0.cluster(after.1)?.name == *name;
    let moved = same_name.then(|| keys_moved(before.0, after.0, name, criteria))?;
    let percent = |count: u64| count as f64 * 100.0 / moved.keys as f64;
    (moved.keys > 0).then(|| KeysDiff {
        moved: percent(moved.moved),
        avoidable: percent(moved.avoidable),
        exact: false,
    })
}

/// The keys that move between two clusters without subsets; `None` if not all hosts are in rings and Maglev
/// tables.
fn of_tables(before: &PlainSnapshot, after: &PlainSnapshot) -> Option<KeysDiff> {
    let simple = |of: &PlainSnapshot| of.subsets.is_none() && of.chain.is_empty();
    if !simple(before) || !simple(after) {
        return None;
    }
    let usable = usable(after);
    let mut pairs: BTreeMap<(usize, usize), Vec<u64>> = BTreeMap::new();
    for residue in 0..100 {
        let priority = |of: &PlainSnapshot| {
            let load = &of.whole.load;
            choose_priority(residue, &load.healthy, &load.degraded).0
        };
        let pair = (priority(before), priority(after));
        pairs.entry(pair).or_default().push(residue);
    }
    let mut found = KeysDiff {
        moved: 0.0,
        avoidable: 0.0,
        exact: true,
    };
    for ((old, new), residues) in pairs {
        let (old, new) = (
            PriorityTable::of(before, old)?,
            PriorityTable::of(after, new)?,
        );
        for (host, part) in old.moved(&new, &residues)? {
            found.moved += part;
            if usable.contains(host) {
                found.avoidable += part;
            }
        }
    }
    // Sums of many parts exceed the whole by rounding.
    found.moved = found.moved.min(100.0);
    found.avoidable = found.avoidable.min(100.0);
    Some(found)
}

/// The addresses of the healthy hosts of a cluster.
fn usable(plain: &PlainSnapshot) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for priority in &plain.priorities {
        let hosts = priority.configured.endpoints.iter().enumerate();
        let healthy = hosts.filter(|(host, _)| priority.coarse(*host) == CoarseHealth::Healthy);
        found.extend(healthy.map(|(_, endpoint)| endpoint.address.as_str()));
    }
    found
}

/// The hash table of a priority; `None` in it if the priority has no hosts in a table.
struct PriorityTable<'s> {
    plain: &'s PlainSnapshot,
    priority: usize,
    table: Option<&'s HashTable>,
}

impl<'s> PriorityTable<'s> {
    /// `None` for rendezvous hashing, which has no table.
    fn of(plain: &'s PlainSnapshot, priority: usize) -> Option<Self> {
        let hosts = plain.whole.priorities.get(priority);
        let table = hosts.and_then(|hosts| hosts.table.as_deref());
        let is_rendezvous =
            table.is_some_and(|table| matches!(table.kind, TableKind::Rendezvous(_)));
        (!is_rendezvous).then_some(Self {
            plain,
            priority,
            table,
        })
    }

    fn address(&self, host: usize) -> Option<&'s str> {
        let endpoint = self.plain.endpoint(self.priority, host)?;
        Some(&endpoint.address)
    }

    /// The percentage of all keys with these hashes modulo 100 that move, by their old host.
    fn moved(&self, to: &Self, residues: &[u64]) -> Option<BTreeMap<&'s str, f64>> {
        let mut found = BTreeMap::new();
        let percent = residues.len() as f64;
        let mut add = |host: Option<&'s str>, part: f64| {
            if let Some(host) = host {
                *found.entry(host).or_insert(0.0) += part;
            }
        };
        match (
            self.table.map(|table| &table.kind),
            to.table.map(|table| &table.kind),
        ) {
            (None, _) => {}
            (Some(TableKind::Ring(old)), Some(TableKind::Ring(new))) => {
                // Every hash up to an entry belongs to it, so hosts change at entries only.
                let entries = old.entries().iter().chain(new.entries());
                let mut ends: Vec<u64> = entries.map(|entry| entry.hash).collect();
                ends.sort_unstable();
                ends.dedup();
                let mut start = ends.last().copied();
                let whole = ends.len() == 1;
                for end in ends {
                    let arc = match start {
                        Some(start) if !whole => u128::from(end.wrapping_sub(start)),
                        _ => 1 << 64,
                    };
                    start = Some(end);
                    let from = old.lookup(end, 0).and_then(|host| self.address(host));
                    let into = new.lookup(end, 0).and_then(|host| to.address(host));
                    if from != into {
                        add(from, arc as f64 / HASHES * percent);
                    }
                }
            }
            (Some(TableKind::Maglev(old)), Some(TableKind::Maglev(new)))
                if old.slots().len() == new.slots().len() =>
            {
                let slots = old.slots().iter().zip(new.slots()).enumerate();
                let size = old.slots().len() as u64;
                for (slot, (from, into)) in slots {
                    let from = self.address(*from as usize);
                    if from != to.address(*into as usize) {
                        add(from, of_slot(slot as u64, size, residues));
                    }
                }
            }
            // The host of a key on one side says nothing about its host on the other one.
            (Some(old), new) => {
                let new =
                    new.map_or_else(|| Some(BTreeMap::new()), |kind| to.parts(kind, residues))?;
                for (host, part) in self.parts(old, residues)? {
                    let stays = new.get(host).copied().unwrap_or(0.0) / percent;
                    add(Some(host), part * (1.0 - stays));
                }
            }
        }
        Some(found)
    }

    /// The percentage of all keys with these hashes modulo 100, by host.
    fn parts(&self, kind: &TableKind, residues: &[u64]) -> Option<BTreeMap<&'s str, f64>> {
        let mut found = BTreeMap::new();
        let mut add = |host: usize, part: f64| {
            if let Some(host) = self.address(host) {
                *found.entry(host).or_insert(0.0) += part;
            }
        };
        match kind {
            TableKind::Ring(ring) => {
                let percent = residues.len() as f64;
                for (host, arc) in ring.arcs() {
                    add(host, arc as f64 / HASHES * percent);
                }
            }
            TableKind::Maglev(table) => {
                let size = table.slots().len() as u64;
                if shared_with_residues(size) > 1 {
                    return None;
                }
                for host in table.slots() {
                    add(*host as usize, residues.len() as f64 / size as f64);
                }
            }
            TableKind::Rendezvous(_) => return None,
        }
        Some(found)
    }
}

/// The number of 64-bit hashes.
const HASHES: f64 = 18_446_744_073_709_551_616.0;

/// The percentage of all keys with these hashes modulo 100 that a slot of a Maglev table gets.
fn of_slot(slot: u64, size: u64, residues: &[u64]) -> f64 {
    let shared = shared_with_residues(size);
    let meeting = residues
        .iter()
        .filter(|residue| *residue % shared == slot % shared);
    meeting.count() as f64 * shared as f64 / size as f64
}

/// The common factor of 100 and the size of a Maglev table, a prime. Unless it is 2 or 5, hashes modulo the size
/// and hashes modulo 100 are independent (Chinese remainder theorem).
const fn shared_with_residues(size: u64) -> u64 {
    match size {
        2 | 5 => size,
        _ => 1,
    }
}
