//! The permutation table of `MAGLEV`.

use alloc::{vec, vec::Vec};

use super::NormalizedWeights;
use crate::{
    hash::xxh64,
    model::{DEFAULT_MAGLEV_TABLE_SIZE, MaglevConfig},
    order::order,
};

/// A table of a prime number of slots, each owned by a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaglevTable {
    /// The owners' indices in the priority; empty when there is no host.
    slots: Vec<u32>,
    min_entries_per_host: u64,
    max_entries_per_host: u64,
}

/// A host that still takes slots.
struct Builder {
    host: u32,
    weight: f64,
    /// The slot that it looks at next.
    slot: u32,
    skip: u32,
    target: f64,
    count: u32,
}

impl MaglevTable {
    /// Lets the hosts take slots in turn. `key` is the text that is hashed for a host.
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
        // Turns go by key, not by configuration order: the table survives a reordering.
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
        let mut round = 1.0;
        while free > 0 {
            for host in &mut hosts {
                if free == 0 {
                    break;
                }
                // A light host sits out the rounds for which it has no claim yet.
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
            // Envoy keeps no real table for a single host.
            [_] => (1, 1),
            _ => (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0)),
        };
        Self {
            slots: slots.owners,
            min_entries_per_host: min,
            max_entries_per_host: max,
        }
    }

    /// The owner of the slot for a hash; further attempts change the hash.
    #[must_use]
    pub fn lookup(&self, hash: u64, attempt: u32) -> Option<usize> {
        /// The default size: a constant divisor costs a multiplication.
        const DEFAULT: u64 = DEFAULT_MAGLEV_TABLE_SIZE as u64;
        let hash = hash ^ u64::from(attempt).wrapping_neg();
        let slot = match self.slots.len() as u64 {
            DEFAULT => hash % DEFAULT,
            size => hash.checked_rem(size)?,
        };
        self.slots.get(slot as usize).map(|&host| host as usize)
    }

    /// The owner of each slot.
    #[must_use]
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The fewest slots of a host (gauge `maglev_lb.min_entries_per_host`).
    #[must_use]
    pub const fn min_entries_per_host(&self) -> u64 {
        self.min_entries_per_host
    }

    /// The most slots of a host (gauge `maglev_lb.max_entries_per_host`).
    #[must_use]
    pub const fn max_entries_per_host(&self) -> u64 {
        self.max_entries_per_host
    }
}

impl Builder {
    fn new(host: usize, weight: f64, key: &str, config: MaglevConfig) -> Self {
        let size = u64::from(config.table_size());
        let rest = |seed: u64, size: u64| xxh64(key.as_bytes(), seed).checked_rem(size);
        Self {
            host: host as u32,
            weight,
            slot: rest(0, size).unwrap_or(0) as u32,
            skip: rest(1, size - 1).unwrap_or(0) as u32 + 1,
            target: 0.0,
            count: 0,
        }
    }

    /// Follows the host's permutation to the next free slot. The table size is prime, so the
    /// permutation meets every slot.
    fn take_slot(&mut self, slots: &mut Slots) {
        loop {
            let slot = self.slot;
            // The next multiple of the step, modulo the size: both are below it.
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

/// The slots while hosts take them.
struct Slots {
    size: u32,
    owners: Vec<u32>,
    /// A bit for each slot that is taken: most looks are in vain, and the bits stay in the nearest
    /// cache.
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

    /// Whether the slot was free; it is the host's then.
    fn take(&mut self, slot: u32, host: u32) -> bool {
        let bit = 1 << (slot % u64::BITS);
        let word = self.taken.get_mut((slot / u64::BITS) as usize);
        let owner = self.owners.get_mut(slot as usize);
        match (word, owner) {
            (Some(word), _) if *word & bit != 0 => false,
            (Some(word), Some(owner)) => {
                *word |= bit;
                *owner = host;
                true
            }
            // There is no such slot; taking it as found ends the search.
            _ => true,
        }
    }
}
