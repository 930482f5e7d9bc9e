//! Consistent hashing with bounded load (`ConsistentHashingLbConfig.hash_balance_factor`).
//!
//! A host is overloaded if its active requests exceed its slots: `slots = max(1, ceil(total *
//! weight))` with `total = ((cluster_active + 1) * factor + 99) / 100`. An overloaded host is
//! passed over in favor of the next host in a random order that depends on the hash.

use alloc::vec::Vec;

use super::mersenne_twister::MersenneTwister;
use crate::model::HashBalanceFactor;

/// The number of active requests that a host may have, at least 1: its share of all requests,
/// including the new one, times the factor. `weight` is the normalized weight of the host, above 0
/// and at most 1.
#[must_use]
pub fn slots(cluster_active: u32, factor: HashBalanceFactor, weight: f64) -> u32 {
    // `((active + 1) * factor + 99) / 100` in 32 bits, which wrap (`hostOverloadFactor`). Adding 99 rounds
    // up.
    let total = cluster_active
        .wrapping_add(1)
        .wrapping_mul(factor.percent())
        .wrapping_add(99)
        / 100;
    let slots = libm::ceil(f64::from(total) * weight);
    (slots as u32).max(1)
}

/// The overload factor of a host; above 1 the host is passed over.
#[must_use]
pub fn overload_factor(active: u32, slots: u32) -> f64 {
    f64::from(active) / f64::from(slots)
}

/// Chooses a host: the base host if it is not overloaded, else the first host that is not
/// overloaded in an order given by the hash, else the host with the lowest overload factor.
///
/// `overload` returns the overload factor of each of `len` hosts. `order` is a buffer, so that a
/// decision allocates nothing.
///
/// # Examples
/// ```
/// use spillgate_core::pick::bounded;
///
/// let overload = |host: usize| [1.5, 0.5, 2.0][host];
/// let mut order = Vec::new();
/// assert_eq!(bounded(1, 42, 3, overload, &mut order), 1);
/// assert_eq!(bounded(0, 42, 3, overload, &mut order), 1);
/// ```
pub fn bounded(
    base: usize,
    hash: u64,
    len: usize,
    overload: impl Fn(usize) -> f64,
    order: &mut Vec<u32>,
) -> usize {
    let mut least = (overload(base), base);
    if least.0 <= 1.0 {
        return base;
    }
    order.clear();
    order.extend(0..len as u32);
    let mut shuffle = Shuffle::new(hash, len);
    for at in 0..len {
        let candidate = shuffle.next(at, order);
        if candidate == base {
            continue;
        }
        let factor = overload(candidate);
        if factor <= 1.0 {
            return candidate;
        }
        // Only a lower factor: of equal ones, the first tried host stays.
        if factor < least.0 {
            least = (factor, candidate);
        }
    }
    least.1
}

/// The order in which bounded load tries hosts, including the base host.
#[must_use]
pub fn shuffled(hash: u64, len: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..len as u32).collect();
    let mut shuffle = Shuffle::new(hash, len);
    for at in 0..len {
        shuffle.next(at, &mut order);
    }
    order
}

/// A Fisher-Yates shuffle, one step at a time.
struct Shuffle {
    draws: MersenneTwister,
    len: usize,
}

impl Shuffle {
    fn new(hash: u64, len: usize) -> Self {
        Self {
            // `std::mt19937` has a seed of 32 bits: the upper half of the hash is lost.
            draws: MersenneTwister::new(hash as u32),
            len,
        }
    }

    /// Completes position `at` and returns its host.
    fn next(&mut self, at: usize, order: &mut [u32]) -> usize {
        let left = (self.len - at) as u64;
        // Draws above the last whole bucket are discarded, as in `std::uniform_int_distribution`.
        let bucket = (1_u64 << 32).checked_div(left).unwrap_or(1);
        let offset = loop {
            let index = u64::from(self.draws.draw())
                .checked_div(bucket)
                .unwrap_or(0);
            if index < left {
                break index as usize;
            }
        };
        if at + offset < order.len() {
            order.swap(at, at + offset);
        }
        order.get(at).copied().unwrap_or(0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index that `std::uniform_int_distribution` draws below `bound`.
    fn uniform(draws: &mut MersenneTwister, bound: u64) -> usize {
        let accepted = (1_u64 << 32) / bound * bound;
        loop {
            let draw = u64::from(draws.draw());
            if draw < accepted {
                return (draw / (accepted / bound)) as usize;
            }
        }
    }

    /// With so many hosts, each of these seeds has draws above the last whole bucket.
    #[test]
    fn draws_above_the_last_whole_bucket_are_discarded() {
        const HOSTS: usize = 60_000;
        for seed in 1..=16 {
            let mut draws = MersenneTwister::new(seed);
            let mut expected: Vec<u32> = (0..HOSTS as u32).collect();
            for at in 0..HOSTS {
                expected.swap(at, at + uniform(&mut draws, (HOSTS - at) as u64));
            }
            assert!(shuffled(u64::from(seed), HOSTS) == expected, "seed {seed}");
        }
    }
}
