//! The ketama ring of `RING_HASH`.

use alloc::{string::String, vec::Vec};
use core::fmt::Write as _;

use super::NormalizedWeights;
use crate::{
    hash::{murmur2_64, xxh64},
    model::{HashFunction, RingHashConfig},
};

/// Points on a circle of 64-bit hashes, each owned by a host.
#[derive(Debug, Clone, PartialEq)]
pub struct Ring {
    entries: Vec<RingEntry>,
    size: u64,
    min_hashes_per_host: u64,
    max_hashes_per_host: u64,
}

/// One point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RingEntry {
    /// Where it stands; a request goes to the first point at or after its own hash.
    pub hash: u64,
    /// The index of its owner in the level.
    pub host: usize,
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
            entries: Vec::with_capacity(size as usize),
            size,
            min_hashes_per_host: size,
            max_hashes_per_host: 0,
        };
        let mut text = String::new();
        let (mut current, mut target) = (0.0, 0.0);
        for weighted in &weights.hosts {
            text.clear();
            text.push_str(key(weighted.host));
            text.push('_');
            let stem = text.len();
            target += scale * weighted.weight;
            let mut count = 0_u64;
            while current < target {
                text.truncate(stem);
                // Writing to a String cannot fail.
                let _ = write!(text, "{count}");
                ring.entries.push(RingEntry {
                    hash: hash(config.hash_function(), &text),
                    host: weighted.host,
                });
                count += 1;
                current += 1.0;
            }
            ring.min_hashes_per_host = ring.min_hashes_per_host.min(count);
            ring.max_hashes_per_host = ring.max_hashes_per_host.max(count);
        }
        // Envoy leaves the order of equal hashes open; by host it is at least the same everywhere.
        ring.entries.sort_unstable();
        ring
    }

    /// The owner of the point for a hash; further attempts move on point by point.
    #[must_use]
    pub fn lookup(&self, hash: u64, attempt: u32) -> Option<usize> {
        let at = self.entries.partition_point(|entry| entry.hash < hash);
        // Beyond the last point the circle closes.
        let first = if at < self.entries.len() { at } else { 0 };
        let index = (first + attempt as usize).checked_rem(self.entries.len())?;
        self.entries.get(index).map(|entry| entry.host)
    }

    /// How many hashes lead to each point, and the point's owner; the numbers sum up to 2^64.
    pub fn arcs(&self) -> impl Iterator<Item = (usize, u128)> {
        let before = self.entries.last().into_iter().chain(&self.entries);
        let alone = self.entries.len() == 1;
        self.entries.iter().zip(before).map(move |(entry, before)| {
            let arc = if alone {
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

fn hash(function: HashFunction, text: &str) -> u64 {
    match function {
        HashFunction::XxHash => xxh64(text.as_bytes(), 0),
        HashFunction::MurmurHash2 => murmur2_64(text.as_bytes()),
    }
}
