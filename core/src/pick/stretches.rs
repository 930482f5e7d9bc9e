//! A circle cut into stretches of equal length.
//!
//! Hashes are spread evenly, so with about as many stretches as points each holds a few: sorting
//! becomes filing, and a search looks at one stretch instead of halving the whole circle.

use alloc::{vec, vec::Vec};

/// One point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RingEntry {
    /// Where it stands; a request goes to the first point at or after its own hash.
    pub hash: u64,
    /// The index of its owner in the priority.
    pub host: usize,
}

/// Which points stand in which stretch.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Stretches {
    /// Hashes of one stretch agree in all bits above these.
    shift: u32,
    /// By stretch: the number of points before it; at the end the number of all.
    starts: Vec<u32>,
}

impl Stretches {
    /// The points of a circle in order. `hashes` are the points of one host after the other;
    /// `counts` tells the hosts and how many points each has.
    pub(super) fn sorted(hashes: &[u64], counts: &[(usize, u32)]) -> (Self, Vec<RingEntry>) {
        // At least two, because a number cannot be shifted by all of its bits.
        let bits = hashes.len().max(2).ilog2();
        let mut stretches = Self {
            shift: u64::BITS - bits,
            // Two more than stretches: the ends are counted up to while the points are filed.
            starts: vec![0; (1 << bits) + 2],
        };
        for &hash in hashes {
            let after = stretches.number(hash) + 2;
            if let Some(count) = stretches.starts.get_mut(after) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut stretches.starts {
            sum += *start;
            *start = sum;
        }
        let mut entries = vec![RingEntry { hash: 0, host: 0 }; hashes.len()];
        let mut rest = hashes.iter();
        for &(host, count) in counts {
            for &hash in rest.by_ref().take(count as usize) {
                let number = stretches.number(hash);
                if let Some(free) = stretches.starts.get_mut(number + 1) {
                    if let Some(entry) = entries.get_mut(*free as usize) {
                        *entry = RingEntry { hash, host };
                    }
                    *free += 1;
                }
            }
        }
        stretches.starts.pop();
        stretches.settle(&mut entries);
        (stretches, entries)
    }

    /// Puts the points of each stretch in order. All others are in place already.
    fn settle(&self, entries: &mut [RingEntry]) {
        /// Hosts with the same key crowd their points; what comes after is quick for few only.
        const CROWD: u32 = 16;
        for pair in self.starts.windows(2) {
            if let [from, to] = *pair
                && to - from > CROWD
                && let Some(stretch) = entries.get_mut(from as usize..to as usize)
            {
                stretch.sort_unstable();
            }
        }
        // One pass over all is faster than one over each: hardly a point moves.
        for end in 1..entries.len() {
            let mut at = end;
            while at > 0 && entries.get(at) < entries.get(at - 1) {
                entries.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    /// Where the points of a hash's stretch begin and end.
    pub(super) fn of(&self, hash: u64) -> (usize, usize) {
        let at = self.number(hash);
        match self.starts.get(at..) {
            Some(&[from, to, ..]) => (from as usize, to as usize),
            _ => (0, 0),
        }
    }

    const fn number(&self, hash: u64) -> usize {
        // An empty circle has no stretch; any number will do.
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
        let (stretches, entries) = Stretches::sorted(&hashes, &counts);
        assert_eq!(entries, sorted);
        let beside = |e: &RingEntry| [e.hash.wrapping_sub(1), e.hash, e.hash.wrapping_add(1)];
        let probes = sorted.iter().flat_map(beside);
        for hash in probes.chain([0, u64::MAX, 1 << 63]) {
            let (from, to) = stretches.of(hash);
            let at = from + entries[from..to].partition_point(|entry| entry.hash < hash);
            assert_eq!(
                at,
                sorted.partition_point(|entry| entry.hash < hash),
                "{hash}"
            );
        }
    }

    #[test]
    fn a_search_in_one_stretch_finds_what_a_search_in_all_does() {
        for len in [0, 1, 2, 3, 4, 5, 100, 1_000] {
            check((0..len).map(mix));
        }
    }

    #[test]
    fn points_that_crowd_together_are_in_order_too() {
        check((0..500).map(|n| mix(n % 3)));
        check((0..500).map(|n| mix(n) >> 40));
        check((0..500).map(|n| u64::MAX - mix(n) % 7));
    }
}
