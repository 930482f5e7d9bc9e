//! Ring entries in hash buckets of equal width.
//!
//! Hashes are evenly distributed. With about as many buckets as entries, each bucket has few
//! entries: sorting becomes a distribution into buckets, and a search examines one bucket instead
//! of halving the whole ring.

use alloc::{vec, vec::Vec};

use crate::order;

/// One entry of a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RingEntry {
    /// The hash of the entry. A request goes to the first entry at or after its hash.
    pub hash: u64,
    /// The host of the entry, as an index in the priority.
    pub host: usize,
}

/// The ranges of entries in the buckets.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Buckets {
    /// Hashes of one bucket are equal in all bits above the lowest `shift` bits.
    shift: u32,
    /// For each bucket the number of entries before it; the last element is the number of all
    /// entries.
    starts: Vec<u32>,
}

impl Buckets {
    /// Sorts the entries of a ring. `hashes` lists the entries host by host; `counts` has the hosts
    /// with their numbers of entries.
    pub(super) fn sorted(hashes: &[u64], counts: &[(usize, u32)]) -> (Self, Vec<RingEntry>) {
        // At least two, because a number cannot be shifted by all of its bits.
        let bits = hashes.len().max(2).ilog2();
        let mut buckets = Self {
            shift: u64::BITS - bits,
            // Two more than buckets: the ends are counted up while the entries are distributed.
            starts: vec![0; (1 << bits) + 2],
        };
        for &hash in hashes {
            let after = buckets.number(hash) + 2;
            if let Some(count) = buckets.starts.get_mut(after) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut buckets.starts {
            sum += *start;
            *start = sum;
        }
        let mut entries = vec![RingEntry { hash: 0, host: 0 }; hashes.len()];
        let mut rest = hashes.iter();
        for &(host, count) in counts {
            for &hash in rest.by_ref().take(count as usize) {
                let number = buckets.number(hash);
                if let Some(free) = buckets.starts.get_mut(number + 1) {
                    if let Some(entry) = entries.get_mut(*free as usize) {
                        *entry = RingEntry { hash, host };
                    }
                    *free += 1;
                }
            }
        }
        buckets.starts.pop();
        buckets.sort_within(&mut entries);
        (buckets, entries)
    }

    /// Sorts the entries of each bucket. The buckets themselves are in order already.
    fn sort_within(&self, entries: &mut [RingEntry]) {
        /// Hosts with the same key fill a bucket; insertion sort is fast only for few entries.
        const CROWD: u32 = 16;
        for pair in self.starts.windows(2) {
            if let [from, to] = *pair
                && to - from > CROWD
                && let Some(bucket) = entries.get_mut(from as usize..to as usize)
            {
                let sorted = order::sorted(bucket.to_vec(), Ord::cmp);
                for (entry, sorted) in bucket.iter_mut().zip(sorted) {
                    *entry = sorted;
                }
            }
        }
        // One pass over all entries is faster than one pass for each bucket, because hardly any
        // entry moves.
        for end in 1..entries.len() {
            let mut at = end;
            while at > 0 && entries.get(at) < entries.get(at - 1) {
                entries.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    /// The range of the entries in the bucket of a hash.
    pub(super) fn of(&self, hash: u64) -> (usize, usize) {
        let at = self.number(hash);
        match self.starts.get(at..) {
            Some(&[from, to, ..]) => (from as usize, to as usize),
            _ => (0, 0),
        }
    }

    const fn number(&self, hash: u64) -> usize {
        // An empty ring has no bucket; any number is valid.
        match hash.checked_shr(self.shift) {
            Some(number) => number as usize,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::mix;

    fn check(hashes: impl Iterator<Item = u64>) {
        let hashes: Vec<u64> = hashes.collect();
        let few = (hashes.len() / 3) as u32;
        let counts = [(3, few), (1, few), (2, hashes.len() as u32 - 2 * few)];
        let hosts = counts
            .iter()
            .flat_map(|&(host, count)| (0..count).map(move |_| host));
        let hosts = hashes.iter().zip(hosts);
        let mut sorted: Vec<_> = hosts
            .map(|(&hash, host)| RingEntry { hash, host })
            .collect();
        sorted.sort();
        let (buckets, entries) = Buckets::sorted(&hashes, &counts);
        assert_eq!(entries, sorted);
        let around = |e: &RingEntry| [e.hash.wrapping_sub(1), e.hash, e.hash.wrapping_add(1)];
        let probes = sorted.iter().flat_map(around);
        for hash in probes.chain([0, u64::MAX, 1 << 63]) {
            let (from, to) = buckets.of(hash);
            let at = from + entries[from..to].partition_point(|entry| entry.hash < hash);
            assert_eq!(
                at,
                sorted.partition_point(|entry| entry.hash < hash),
                "{hash}"
            );
        }
    }

    #[test]
    fn a_search_in_one_bucket_equals_a_search_in_all() {
        for len in [0, 1, 2, 3, 4, 5, 100, 1_000] {
            check((0..len).map(mix));
        }
    }

    #[test]
    fn entries_of_a_full_bucket_are_sorted() {
        check((0..500).map(|n| mix(n % 3)));
        check((0..500).map(|n| mix(n) >> 40));
        check((0..500).map(|n| u64::MAX - mix(n) % 7));
    }
}
