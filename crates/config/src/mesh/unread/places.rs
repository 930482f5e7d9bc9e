//! Where a value is in a document, so that it counts as the same one after elements came or went before it.

use alloc::{collections::BTreeMap, vec::Vec};

use super::{combined, hash_of};
use crate::node::{Node, canonical_hash};

/// Fields that tell the elements of a list apart.
static OWN: &[&str] = &[
    "address",
    "destination",
    "from",
    "host",
    "hosts",
    "hostname",
    "kind",
    "match",
    "matches",
    "name",
    "number",
    "port",
    "targetRef",
    "type",
];

/// A hash for each element of a list: its own fields, and how many elements with the same ones are before it.
pub(super) fn elements(items: &[Node<'_>]) -> Vec<u64> {
    let mut known: BTreeMap<u64, u64> = BTreeMap::new();
    let of = items.iter().map(|item| {
        let own = OWN.iter().filter_map(|field| {
            let value = canonical_hash(item.get(field)?);
            Some(combined(&[hash_of(field), value]))
        });
        let own: Vec<u64> = own.collect();
        let own = combined(&own);
        let count = known.entry(own).or_default();
        *count += 1;
        combined(&[own, *count])
    });
    of.collect()
}
