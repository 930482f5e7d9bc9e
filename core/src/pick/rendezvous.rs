//! Weighted rendezvous hashing: every host has a score for a key, the highest wins.
//!
//! When a host leaves, only its own keys move, and when one comes it takes its fair part from all.

use crate::hash::mix;

/// The place of the host with the highest score among `hosts`; `attempt` counts on to the next
/// lower ones. `hosts` yields the hash of a host's key and its weight.
pub fn rendezvous(
    hosts: impl Iterator<Item = (u64, u32)> + Clone,
    hash: u64,
    attempt: usize,
) -> Option<usize> {
    // A few passes are cheaper than a list: attempts are few, and the first needs no count.
    let mut bound: Option<(f64, usize)> = None;
    let passes = match attempt {
        0 => 0,
        attempt => attempt.checked_rem(hosts.clone().count())?,
    };
    for _ in 0..=passes {
        let mut best: Option<(f64, usize)> = None;
        for (at, (key, weight)) in hosts.clone().enumerate() {
            let ranked = (score(key, hash, weight), at);
            let below = bound.is_none_or(|bound| is_below(ranked, bound));
            if below && best.is_none_or(|best| is_below(best, ranked)) {
                best = Some(ranked);
            }
        }
        bound = best;
    }
    bound.map(|(_, at)| at)
}

/// Equal scores rank by place, the earlier one higher.
fn is_below(a: (f64, usize), b: (f64, usize)) -> bool {
    match a.0.total_cmp(&b.0) {
        core::cmp::Ordering::Less => true,
        core::cmp::Ordering::Greater => false,
        core::cmp::Ordering::Equal => a.1 > b.1,
    }
}

/// `-weight / ln(u)` with `u` uniform in (0, 1): the highest of such scores falls to each host in
/// proportion to its weight.
fn score(key: u64, hash: u64, weight: u32) -> f64 {
    /// 2^-53: 53 bits make a double without rounding.
    const UNIT: f64 = 1.0 / 9_007_199_254_740_992.0;
    let bits = mix(key ^ mix(hash)) >> 11;
    let uniform = (bits as f64 + 0.5) * UNIT;
    -f64::from(weight) / libm::log(uniform)
}
