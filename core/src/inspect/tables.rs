//! Hash tables: who owns which part of the ring, which slots of the table.

use alloc::vec::Vec;

use crate::{
    order,
    snapshot::{ClusterId, Snapshot, TableKind},
    subset::Choice,
};

/// One arc of a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arc {
    /// The hash of the point that ends it; hashes up to it belong to its owner.
    pub end: u64,
    /// How many hashes it has.
    pub hashes: u128,
    /// The index of its owner in the level.
    pub host: usize,
}

/// What a table gives to one host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostPart {
    /// The index of the host in the level.
    pub host: usize,
    /// How many points, slots or weights it has in the table.
    pub entries: u64,
    /// The part of all hashes that lead to it, 0 to 1.
    pub part: f64,
}

fn table(
    snapshot: &Snapshot,
    cluster: ClusterId,
    choice: Choice,
    priority: usize,
) -> Option<&TableKind> {
    let set = snapshot.plain(cluster)?.set(choice)?;
    Some(&set.levels.get(priority)?.table.as_ref()?.kind)
}

/// The arcs of a ring in the order of their hashes; empty where the level has no ring.
#[must_use]
pub fn ring_arcs(
    snapshot: &Snapshot,
    cluster: ClusterId,
    choice: Choice,
    priority: usize,
) -> Vec<Arc> {
    let Some(TableKind::Ring(ring)) = table(snapshot, cluster, choice, priority) else {
        return Vec::new();
    };
    let ends = ring.entries().iter().map(|entry| entry.hash);
    let arcs = ends.zip(ring.arcs());
    arcs.map(|(end, (host, hashes))| Arc { end, hashes, host })
        .collect()
}

/// A maglev table seen from afar: `cells` stretches of equal length, and for each the host that
/// has most of its slots. Empty where the level has no such table.
#[must_use]
pub fn maglev_strip(
    snapshot: &Snapshot,
    cluster: ClusterId,
    choice: Choice,
    priority: usize,
    cells: usize,
) -> Vec<usize> {
    let Some(TableKind::Maglev(maglev)) = table(snapshot, cluster, choice, priority) else {
        return Vec::new();
    };
    let slots = maglev.slots();
    let cells = cells.min(slots.len());
    (0..cells)
        .filter_map(|cell| {
            let edge = |cell: usize| (cell * slots.len()).checked_div(cells).unwrap_or(0);
            let owners = slots.get(edge(cell)..edge(cell + 1))?.to_vec();
            let owners = order::sorted(owners, u32::cmp);
            let runs = owners.chunk_by(|a, b| a == b);
            // Of equally many, the one that comes first in the level.
            let most = runs.rev().max_by_key(|run| run.len())?;
            most.first().map(|&host| host as usize)
        })
        .collect()
}

/// What each host of a table has of it, in the order of the level.
#[must_use]
pub fn table_parts(
    snapshot: &Snapshot,
    cluster: ClusterId,
    choice: Choice,
    priority: usize,
) -> Vec<HostPart> {
    let hosts = snapshot
        .plain(cluster)
        .and_then(|plain| plain.levels.get(priority))
        .map_or(0, |level| level.len());
    let mut parts: Vec<(u64, u128)> = alloc::vec![(0, 0); hosts];
    let mut give = |host: usize, entries: u64, size: u128| {
        if let Some(part) = parts.get_mut(host) {
            part.0 += entries;
            part.1 += size;
        }
    };
    match table(snapshot, cluster, choice, priority) {
        Some(TableKind::Ring(ring)) => ring.arcs().for_each(|(host, arc)| give(host, 1, arc)),
        Some(TableKind::Maglev(maglev)) => {
            let slots = maglev.slots().iter();
            slots.for_each(|&host| give(host as usize, 1, 1));
        }
        Some(TableKind::Rendezvous(hosts)) => {
            for host in hosts {
                give(host.host as usize, host.weight.into(), host.weight.into());
            }
        }
        None => {}
    }
    let sum: u128 = parts.iter().map(|(_, size)| size).sum();
    let parts = parts.into_iter().enumerate();
    parts
        .filter(|(_, (entries, _))| *entries > 0)
        .map(|(host, (entries, size))| HostPart {
            host,
            entries,
            part: size as f64 / sum as f64,
        })
        .collect()
}
