//! The hosts of a hash table.

use std::collections::BTreeMap;

use spillgate_core::snapshot::HostRef;

/// A host in a hash table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableShare {
    /// The host.
    pub host: HostRef,
    /// The number of its entries or slots.
    pub entries: usize,
    /// The percentage of all hashes that lead to it.
    pub percent: f64,
}

/// The hosts of a table with the sum of their parts of all `parts`.
pub(super) fn shares(any: HostRef, entries: impl Iterator<Item = (usize, f64)>) -> Vec<TableShare> {
    let mut hosts: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
    for (host, percent) in entries {
        let (entries, sum) = hosts.entry(host).or_default();
        *entries += 1;
        *sum += percent;
    }
    let shares = hosts.into_iter();
    shares
        .map(|(host, (entries, percent))| TableShare {
            host: HostRef { host, ..any },
            entries,
            percent,
        })
        .collect()
}
