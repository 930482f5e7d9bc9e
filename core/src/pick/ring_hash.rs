//! Ring hash: the ketama ring of `RING_HASH`.
//!
//! Each host has entries at `hash(key + "_" + n)` for `n = 0, 1, ...`, in proportion to its weight.
//! The number of entries is `scale = min(ceil(min_weight * minimum_ring_size) / min_weight,
//! maximum_ring_size)`, with the smallest normalized weight `min_weight`. A request goes to the
//! first entry at or after its hash.
//!
//! Envoy's unstable sort leaves the order of entries with equal hashes open. The engine orders them
//! by host, so at least its own results are the same everywhere.

use alloc::vec::Vec;

use super::{
    NormalizedWeights,
    buckets::{Buckets, RingEntry},
};
use crate::{
    hash::{murmur2_64, xxh64},
    model::{HashFunction, RingHashConfig},
};

/// Entries on a circle of 64-bit hashes.
#[derive(Debug, Clone, PartialEq)]
pub struct Ring {
    entries: Vec<RingEntry>,
    /// The index of the entries by hash range.
    buckets: Buckets,
    size: u64,
    min_hashes_per_host: u64,
    max_hashes_per_host: u64,
}

impl Ring {
    /// Builds the ring from normalized weights. `key` returns the text that is hashed for a host.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::model::{HashFunction, RingHashConfig};
    /// use spillgate_core::pick::{NormalizedWeights, Ring};
    ///
    /// let config = RingHashConfig::new(8, 8, HashFunction::XxHash).unwrap();
    /// let weights = NormalizedWeights::flat([(0, 1), (1, 1)]);
    /// let keys = ["10.0.0.1:80", "10.0.0.2:80"];
    /// let ring = Ring::build(&config, &weights, |host| keys[host]);
    /// assert_eq!((ring.size(), ring.entries().len()), (8, 8));
    /// assert_eq!(ring.lookup(ring.entries()[3].hash, 0), Some(ring.entries()[3].host));
    /// ```
    #[must_use]
    pub fn build<'a>(
        config: &RingHashConfig,
        weights: &NormalizedWeights,
        key: impl Fn(usize) -> &'a str,
    ) -> Self {
        if weights.hosts.is_empty() {
            return Self {
                entries: Vec::new(),
                buckets: Buckets::default(),
                size: 0,
                min_hashes_per_host: 0,
                max_hashes_per_host: 0,
            };
        }
        // The host with the smallest weight gets a whole number of entries, if the maximum size
        // permits.
        let scale = f64::min(
            libm::ceil(weights.min * config.minimum_ring_size() as f64) / weights.min,
            config.maximum_ring_size() as f64,
        );
        let size = libm::ceil(scale) as u64;
        let mut ring = Self {
            entries: Vec::new(),
            buckets: Buckets::default(),
            size,
            min_hashes_per_host: size,
            max_hashes_per_host: 0,
        };
        let mut hashes = Vec::with_capacity(size as usize);
        let mut counts = Vec::with_capacity(weights.hosts.len());
        let mut texts = Texts::default();
        // Running sums over all hosts: a fraction of an entry carries over to the next host, so the ring
        // has the intended size.
        let (mut current, mut target) = (0.0, 0.0);
        for weighted in &weights.hosts {
            target += scale * weighted.weight;
            let mut count = 0_u64;
            while current < target {
                count += 1;
                current += 1.0;
            }
            texts.begin(key(weighted.host), count);
            for number in 0..count {
                let hash = |text: &[u8]| hash(config.hash_function(), text);
                hashes.push(texts.next(number, hash));
            }
            counts.push((weighted.host, count as u32));
            ring.min_hashes_per_host = ring.min_hashes_per_host.min(count);
            ring.max_hashes_per_host = ring.max_hashes_per_host.max(count);
        }
        // Envoy does not define the order of equal hashes. Sorting them by host makes the ring the
        // same everywhere.
        (ring.buckets, ring.entries) = Buckets::sorted(&hashes, &counts);
        ring
    }

    /// The host at a hash. `attempt` counts from 0; further attempts move on entry by entry. `None`
    /// for an empty ring.
    #[must_use]
    pub fn lookup(&self, hash: u64, attempt: u32) -> Option<usize> {
        let at = self.entries_before(hash);
        // After the last entry the circle starts again.
        let first = if at < self.entries.len() { at } else { 0 };
        match attempt {
            0 => self.entries.get(first).map(|entry| entry.host),
            attempt => self.host_after(first, attempt),
        }
    }

    /// The index of the entry at or after a hash; `None` for an empty ring.
    #[must_use]
    pub fn entry_at(&self, hash: u64) -> Option<usize> {
        self.entries_before(hash).checked_rem(self.entries.len())
    }

    /// The host `distance` entries after an entry, around the ring; `None` for an empty ring.
    pub(crate) fn host_after(&self, entry: usize, distance: u32) -> Option<usize> {
        let index = (entry + distance as usize).checked_rem(self.entries.len())?;
        self.entries.get(index).map(|entry| entry.host)
    }

    /// The number of entries below a hash.
    fn entries_before(&self, hash: u64) -> usize {
        /// The number of entries that are compared at once, more than most buckets have, so that
        /// the processor need not predict the end of the search.
        const GROUP: usize = 4;
        let (from, to) = self.buckets.of(hash);
        // If one entry of the group is at or above the hash, so are all later entries.
        if let Some(group) = self
            .entries
            .get(from..)
            .and_then(<[_]>::first_chunk::<GROUP>)
        {
            let before = group.iter().filter(|entry| entry.hash < hash).count();
            if before < GROUP {
                return from + before;
            }
        }
        let bucket = self.entries.get(from..to).unwrap_or_default();
        from + bucket.partition_point(|entry| entry.hash < hash)
    }

    /// The number of hashes that lead to each entry, with the host of the entry. The numbers sum to
    /// 2^64.
    pub fn arcs(&self) -> impl Iterator<Item = (usize, u128)> {
        let before = self.entries.last().into_iter().chain(&self.entries);
        // Of several entries with the same hash, such as those of a repeated address, the first one
        // gets the whole arc.
        let first = self.entries.first().map(|entry| entry.hash);
        let mut whole = first == self.entries.last().map(|entry| entry.hash);
        self.entries.iter().zip(before).map(move |(entry, before)| {
            let arc = if core::mem::take(&mut whole) {
                1 << 64
            } else {
                u128::from(entry.hash.wrapping_sub(before.hash))
            };
            (entry.host, arc)
        })
    }

    /// The entries, sorted by hash.
    #[must_use]
    pub fn entries(&self) -> &[RingEntry] {
        &self.entries
    }

    /// The number of entries as Envoy reports it (gauge `ring_hash_lb.size`).
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The minimum number of entries of a host (gauge `ring_hash_lb.min_hashes_per_host`).
    #[must_use]
    pub const fn min_hashes_per_host(&self) -> u64 {
        self.min_hashes_per_host
    }

    /// The maximum number of entries of a host (gauge `ring_hash_lb.max_hashes_per_host`).
    #[must_use]
    pub const fn max_hashes_per_host(&self) -> u64 {
        self.max_hashes_per_host
    }
}

fn hash(function: HashFunction, text: &[u8]) -> u64 {
    match function {
        HashFunction::XxHash => xxh64(text, 0),
        HashFunction::MurmurHash2 => murmur2_64(text),
    }
}

/// The texts of a host's entries: its key, `_`, and the entry number.
///
/// Reading a text right after writing its last digit stalls the processor, so several texts are
/// used in turn.
#[derive(Default)]
struct Texts {
    texts: [Vec<u8>; TURNS as usize],
    /// The length of the text without the number.
    stem: usize,
}

/// The number of texts; the first number of each has one digit.
const TURNS: u8 = 8;

impl Texts {
    fn begin(&mut self, key: &str, count: u64) {
        self.stem = key.len() + 1;
        for (text, number) in self.texts.iter_mut().zip(0..TURNS) {
            if u64::from(number) < count {
                text.clear();
                text.extend_from_slice(key.as_bytes());
                text.extend_from_slice(&[b'_', b'0' + number]);
            }
        }
    }

    /// The hash of the text for a number. Numbers must be consecutive.
    fn next(&mut self, number: u64, hash: impl Fn(&[u8]) -> u64) -> u64 {
        let turn = (number % u64::from(TURNS)) as usize;
        let Some(text) = self.texts.get_mut(turn) else {
            return 0;
        };
        let found = hash(text);
        let mut more = TURNS;
        let digits = text.get_mut(self.stem..).unwrap_or_default();
        for digit in digits.iter_mut().rev() {
            *digit += more;
            if *digit <= b'9' {
                return found;
            }
            *digit -= 10;
            more = 1;
        }
        text.insert(self.stem, b'1');
        found
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn entries_are_numbered_in_decimal() {
        let mut texts = Texts::default();
        for (key, count) in [("10.0.0.1:80", 1_234), ("b", 3), ("", 12)] {
            texts.begin(key, count);
            for number in 0..count {
                let text = format!("{key}_{number}");
                assert_eq!(
                    texts.next(number, |t| xxh64(t, 0)),
                    xxh64(text.as_bytes(), 0)
                );
            }
        }
    }
}
