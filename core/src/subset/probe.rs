//! A hash table of entry numbers: open addressing with linear probing.
//!
//! It is filled while a snapshot is built and only read afterwards; a lookup reads one or two
//! slots. `alloc` has no hash map, and this implementation is smaller than available crates.

use alloc::{vec, vec::Vec};

/// The table. A slot contains the number of an entry plus one, or 0.
#[derive(Debug, Clone, Default)]
pub(super) struct Probe {
    slots: Vec<u32>,
    used: usize,
}

impl Probe {
    /// The entry with this hash for which `is` returns true.
    pub(super) fn find(&self, hash: u64, is: impl Fn(usize) -> bool) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let entry = (*self.slots.get(at)? as usize).checked_sub(1)?;
            if is(entry) {
                return Some(entry);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds an entry; `hash_of` returns the hash of the entries in the table.
    pub(super) fn insert(&mut self, hash: u64, entry: usize, hash_of: impl Fn(usize) -> u64) {
        // At most half of the slots are used, so a search always reaches an empty one.
        if self.slots.len() <= self.used * 2 {
            let old = core::mem::take(&mut self.slots);
            self.slots = vec![0; (old.len() * 2).max(8)];
            for entry in old.into_iter().filter_map(|slot| slot.checked_sub(1)) {
                self.occupy(hash_of(entry as usize), entry as usize);
            }
        }
        self.occupy(hash, entry);
        self.used += 1;
    }

    fn occupy(&mut self, hash: u64, entry: usize) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(slot) = self.slots.get_mut(at) {
            if *slot == 0 {
                *slot = entry as u32 + 1;
                return;
            }
            at = (at + 1) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_found() {
        let mut probe = Probe::default();
        assert_eq!(probe.find(7, |_| true), None);
        // Many entries with few hashes, so that they collide.
        let hash_of = |entry: usize| (entry % 5) as u64;
        for entry in 0..100 {
            probe.insert(hash_of(entry), entry, hash_of);
        }
        for entry in 0..100 {
            assert_eq!(probe.find(hash_of(entry), |e| e == entry), Some(entry));
        }
        assert_eq!(probe.find(3, |e| e == 100), None);
    }
}
