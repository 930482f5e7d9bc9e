//! The ketama ring of `RING_HASH`.

use alloc::vec::Vec;

use super::{
    NormalizedWeights,
    stretches::{RingEntry, Stretches},
};
use crate::{
    hash::{murmur2_64, xxh64},
    model::{HashFunction, RingHashConfig},
};

/// Points on a circle of 64-bit hashes, each owned by a host.
#[derive(Debug, Clone, PartialEq)]
pub struct Ring {
    entries: Vec<RingEntry>,
    /// Where the points of each stretch of the circle begin, and where the last of them ends.
    stretches: Stretches,
    size: u64,
    min_hashes_per_host: u64,
    max_hashes_per_host: u64,
}

impl Ring {
    /// Lays the points of all hosts out. `key` is the text that is hashed for a host.
    #[must_use]
    pub fn build<'a>(
        config: &RingHashConfig,
        weights: &NormalizedWeights,
        key: impl Fn(usize) -> &'a str,
    ) -> Self {
        if weights.hosts.is_empty() {
            return Self {
                entries: Vec::new(),
                stretches: Stretches::default(),
                size: 0,
                min_hashes_per_host: 0,
                max_hashes_per_host: 0,
            };
        }
        // The lightest host gets a whole number of points, as long as the ring may grow.
        let scale = f64::min(
            libm::ceil(weights.min * config.minimum_ring_size() as f64) / weights.min,
            config.maximum_ring_size() as f64,
        );
        let size = libm::ceil(scale) as u64;
        let mut ring = Self {
            entries: Vec::new(),
            stretches: Stretches::default(),
            size,
            min_hashes_per_host: size,
            max_hashes_per_host: 0,
        };
        let mut hashes = Vec::with_capacity(size as usize);
        let mut counts = Vec::with_capacity(weights.hosts.len());
        let mut texts = Texts::default();
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
        // Envoy leaves the order of equal hashes open; by host it is at least the same everywhere.
        (ring.stretches, ring.entries) = Stretches::sorted(&hashes, &counts);
        ring
    }

    /// The owner of the point for a hash; further attempts move on point by point.
    #[must_use]
    pub fn lookup(&self, hash: u64, attempt: u32) -> Option<usize> {
        let at = self.place(hash);
        // Beyond the last point the circle closes.
        let first = if at < self.entries.len() { at } else { 0 };
        let index = match attempt {
            0 => first,
            attempt => (first + attempt as usize).checked_rem(self.entries.len())?,
        };
        self.entries.get(index).map(|entry| entry.host)
    }

    /// The number of points before a hash.
    fn place(&self, hash: u64) -> usize {
        /// So many points are compared at once: more than most stretches have, so that the processor
        /// need not guess where the search ends.
        const GROUP: usize = 4;
        let (from, to) = self.stretches.of(hash);
        // All points behind the group are at or after the hash, if one of the group is.
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
        let stretch = self.entries.get(from..to).unwrap_or_default();
        from + stretch.partition_point(|entry| entry.hash < hash)
    }

    /// How many hashes lead to each point, and the point's owner; the numbers sum up to 2^64.
    pub fn arcs(&self) -> impl Iterator<Item = (usize, u128)> {
        let before = self.entries.last().into_iter().chain(&self.entries);
        // Points in one place, such as those of an address that stands twice, leave all to the first.
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

    /// The points in order.
    #[must_use]
    pub fn entries(&self) -> &[RingEntry] {
        &self.entries
    }

    /// The size that Envoy reports (gauge `ring_hash_lb.size`).
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The fewest points of a host (gauge `ring_hash_lb.min_hashes_per_host`).
    #[must_use]
    pub const fn min_hashes_per_host(&self) -> u64 {
        self.min_hashes_per_host
    }

    /// The most points of a host (gauge `ring_hash_lb.max_hashes_per_host`).
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

/// The texts of a host's points: its key, `_`, and the number of the point.
///
/// The last digit of a text that is read at once after it was written makes the processor wait, so
/// a few texts take turns.
#[derive(Default)]
struct Texts {
    texts: [Vec<u8>; TURNS as usize],
    /// The length of all but the number.
    stem: usize,
}

/// How many texts take turns; the first number of each is one digit.
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

    /// The hash of the text of a number; numbers come in order.
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
    fn points_are_numbered_in_decimals() {
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
