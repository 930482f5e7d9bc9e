//! Consistent hashing with bounded load (`hash_balance_factor`): a host with too many requests is
//! passed over.

use alloc::vec::Vec;

use super::mersenne_twister::MersenneTwister;
use crate::model::HashBalanceFactor;

/// How many active requests a host may have: its part of all requests, the new one included,
/// times the factor; at least one.
#[must_use]
pub fn slots(cluster_active: u32, factor: HashBalanceFactor, weight: f64) -> u32 {
    let total = cluster_active
        .wrapping_add(1)
        .wrapping_mul(factor.percent())
        .wrapping_add(99)
        / 100;
    let slots = libm::ceil(f64::from(total) * weight);
    (slots as u32).max(1)
}

/// How full a host is; above 1 it is passed over.
#[must_use]
pub fn overload_factor(active: u32, slots: u32) -> f64 {
    f64::from(active) / f64::from(slots)
}

/// The host that serves: the base host if it is not too full, else the first that is not in an
/// order that the hash gives, else the one that is least full.
///
/// `overload` tells how full each of `len` hosts is; `order` is room for their numbers, so that
/// nothing need be allocated.
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
        if factor < least.0 {
            least = (factor, candidate);
        }
    }
    least.1
}

/// The whole order in which hosts are tried, the base host among them.
#[must_use]
pub fn shuffled(hash: u64, len: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..len as u32).collect();
    let mut shuffle = Shuffle::new(hash, len);
    for at in 0..len {
        shuffle.next(at, &mut order);
    }
    order
}

/// Fisher and Yates, one step at a time.
struct Shuffle {
    draws: MersenneTwister,
    len: usize,
}

impl Shuffle {
    fn new(hash: u64, len: usize) -> Self {
        Self {
            draws: MersenneTwister::new(hash as u32),
            len,
        }
    }

    /// Settles the place `at` and tells who stands there.
    fn next(&mut self, at: usize, order: &mut [u32]) -> usize {
        let left = (self.len - at) as u64;
        // A draw beyond the last whole bucket is thrown away, as `uniform_int_distribution` does.
        let bucket = (1_u64 << 32).checked_div(left).unwrap_or(1);
        let offset = loop {
            let place = u64::from(self.draws.draw())
                .checked_div(bucket)
                .unwrap_or(0);
            if place < left {
                break place as usize;
            }
        };
        if at + offset < order.len() {
            order.swap(at, at + offset);
        }
        order.get(at).copied().unwrap_or(0) as usize
    }
}
