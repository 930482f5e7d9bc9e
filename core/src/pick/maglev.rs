//! The Maglev table of `MAGLEV`.
//!
//! Each host has a permutation of the slots: it starts at `XXH64(key, 0) % size` and continues in
//! steps of `XXH64(key, 1) % (size - 1) + 1`. The hosts take free slots in turn, in the order of
//! their keys. A host with a lower weight omits some turns. The slot of a request is `hash % size`.

use alloc::{vec, vec::Vec};

use super::NormalizedWeights;
use crate::{
    hash::xxh64,
    model::{DEFAULT_MAGLEV_TABLE_SIZE, MaglevConfig},
    order::order,
};

/// A table with a prime number of slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaglevTable {
    /// The host of each slot, as an index in the priority; empty without hosts.
    slots: Vec<u32>,
    min_entries_per_host: u64,
    max_entries_per_host: u64,
}

/// A host that takes slots.
struct Builder {
    host: u32,
    weight: f64,
    /// The next slot of the permutation.
    slot: u32,
    skip: u32,
    target: f64,
    count: u32,
}

impl MaglevTable {
    /// Builds the table from normalized weights. `key` returns the text that is hashed for a host.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::model::MaglevConfig;
    /// use spillgate_core::pick::{MaglevTable, NormalizedWeights};
    ///
    /// let config = MaglevConfig::new(11).unwrap();
    /// let weights = NormalizedWeights::flat([(0, 1), (1, 1)]);
    /// let keys = ["10.0.0.1:80", "10.0.0.2:80"];
    /// let table = MaglevTable::build(config, &weights, |host| keys[host]);
    /// assert_eq!(table.slots().len(), 11);
    /// assert_eq!(table.max_entries_per_host() - table.min_entries_per_host(), 1);
    /// ```
    #[must_use]
    pub fn build<'a>(
        config: MaglevConfig,
        weights: &NormalizedWeights,
        key: impl Fn(usize) -> &'a str,
    ) -> Self {
        if weights.hosts.is_empty() {
            return Self {
                slots: Vec::new(),
                min_entries_per_host: 0,
                max_entries_per_host: 0,
            };
        }
        let size = config.table_size();
        // Hosts take turns in the order of their keys, so the configuration order does not matter.
        let key_at = |at: usize| weights.hosts.get(at).map(|weighted| key(weighted.host));
        let order = order(weights.hosts.len(), &|a, b| key_at(a).cmp(&key_at(b)));
        let ordered = order.iter().filter_map(|&at| weights.hosts.get(at));
        let mut hosts: Vec<Builder> = ordered
            .map(|weighted| {
                Builder::new(weighted.host, weighted.weight, key(weighted.host), config)
            })
            .collect();

        let mut slots = Slots::free(size);
        let mut free = size;
        // Envoy counts rounds as an integer and multiplies it by the weight, in double precision; small
        // numbers are exact in both.
        let mut round = 1.0;
        while free > 0 {
            for host in &mut hosts {
                if free == 0 {
                    break;
                }
                // A host with a low weight omits the rounds in which its share is not yet due.
                if round * host.weight < host.target {
                    continue;
                }
                host.target += weights.max;
                host.take_slot(&mut slots);
                free -= 1;
            }
            round += 1.0;
        }
        let counts = hosts.iter().map(|host| u64::from(host.count));
        let (min, max) = match hosts.as_slice() {
            // Envoy builds no table for a single host.
            [_] => (1, 1),
            _ => (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0)),
        };
        Self {
            slots: slots.owners,
            min_entries_per_host: min,
            max_entries_per_host: max,
        }
    }

    /// The host for a hash. `attempt` counts from 0; further attempts change the hash. `None` for
    /// an empty table.
    #[must_use]
    pub fn lookup(&self, hash: u64, attempt: u32) -> Option<usize> {
        /// The default size as a constant, so that the compiler replaces the division by a
        /// multiplication.
        const DEFAULT: u64 = DEFAULT_MAGLEV_TABLE_SIZE as u64;
        let hash = hash_of_attempt(hash, attempt);
        let slot = match self.slots.len() as u64 {
            DEFAULT => hash % DEFAULT,
            size => hash.checked_rem(size)?,
        };
        self.slots.get(slot as usize).map(|&host| host as usize)
    }

    /// The slot of a hash; `None` for an empty table.
    #[must_use]
    pub fn slot_of(&self, hash: u64) -> Option<usize> {
        let slot = hash.checked_rem(self.slots.len() as u64)?;
        Some(slot as usize)
    }

    /// The slot of an attempt of a hash; `None` for an empty table.
    pub(crate) fn slot_of_attempt(&self, hash: u64, attempt: u32) -> Option<u64> {
        hash_of_attempt(hash, attempt).checked_rem(self.slots.len() as u64)
    }

    /// The host of each slot, as an index in the priority.
    #[must_use]
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The minimum number of slots of a host (gauge `maglev_lb.min_entries_per_host`).
    #[must_use]
    pub const fn min_entries_per_host(&self) -> u64 {
        self.min_entries_per_host
    }

    /// The maximum number of slots of a host (gauge `maglev_lb.max_entries_per_host`).
    #[must_use]
    pub const fn max_entries_per_host(&self) -> u64 {
        self.max_entries_per_host
    }
}

/// Most bits change with each attempt. For attempt 0 none does.
fn hash_of_attempt(hash: u64, attempt: u32) -> u64 {
    hash ^ u64::from(attempt).wrapping_neg()
}

impl Builder {
    fn new(host: usize, weight: f64, key: &str, config: MaglevConfig) -> Self {
        let size = u64::from(config.table_size());
        let rest = |seed: u64, size: u64| xxh64(key.as_bytes(), seed).checked_rem(size);
        Self {
            host: host as u32,
            weight,
            slot: rest(0, size).unwrap_or(0) as u32,
            // From 1 to `size - 1`, so that a step never stays on its slot.
            skip: rest(1, size - 1).unwrap_or(0) as u32 + 1,
            target: 0.0,
            count: 0,
        }
    }

    /// Follows the host's permutation to the next free slot. The size is a prime number, so the
    /// permutation reaches every slot.
    fn take_slot(&mut self, slots: &mut Slots) {
        loop {
            let slot = self.slot;
            // The next multiple of the step, modulo the size; both are below the size.
            self.slot += self.skip;
            if self.slot >= slots.size {
                self.slot -= slots.size;
            }
            if slots.take(slot, self.host) {
                self.count += 1;
                return;
            }
        }
    }
}

/// The slots while the table is built.
struct Slots {
    size: u32,
    owners: Vec<u32>,
    /// One bit for each taken slot. Most lookups find a taken slot, and the bits fit into the
    /// nearest cache.
    taken: Vec<u64>,
}

impl Slots {
    fn free(size: u32) -> Self {
        Self {
            size,
            owners: vec![0; size as usize],
            taken: vec![0; size.div_ceil(u64::BITS) as usize],
        }
    }

    /// Takes a slot for the host; returns whether the slot was free.
    fn take(&mut self, slot: u32, host: u32) -> bool {
        let bit = 1 << (slot % u64::BITS);
        match self.taken.get_mut((slot / u64::BITS) as usize) {
            Some(word) if *word & bit != 0 => return false,
            Some(word) => *word |= bit,
            // The slot does not exist. `true` ends the search.
            None => return true,
        }
        // Only now: most slots of a search are taken.
        if let Some(owner) = self.owners.get_mut(slot as usize) {
            *owner = host;
        }
        true
    }
}
