//! Weighted rendezvous hashing: each host has a score for a key, and the host with the highest
//! score wins.
//!
//! If a host leaves, only its keys move. If a host joins, it takes its share of the keys from all
//! other hosts.

use crate::hash::mix;

/// The index of the host with the highest score. `attempt` counts from 0; further attempts select
/// the next lower scores. `hosts` yields the hash of each host's key and its weight. `None` without
/// hosts.
///
/// # Examples
/// ```
/// use spillgate_core::hash::xxh64;
/// use spillgate_core::pick::rendezvous;
///
/// let hosts = ["10.0.0.1:80", "10.0.0.2:80"].map(|key| (xxh64(key.as_bytes(), 0), 1));
/// let first = rendezvous(hosts.into_iter(), 42, 0).unwrap();
/// let second = rendezvous(hosts.into_iter(), 42, 1).unwrap();
/// assert_eq!(first + second, 1);
/// ```
pub fn rendezvous(
    hosts: impl Iterator<Item = (u64, u32)> + Clone,
    hash: u64,
    attempt: usize,
) -> Option<usize> {
    // Several passes are cheaper than a sorted list: attempts are few, and the first needs only one
    // pass.
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

/// Equal scores rank by index; the lower index ranks higher.
fn is_below(a: (f64, usize), b: (f64, usize)) -> bool {
    match a.0.total_cmp(&b.0) {
        core::cmp::Ordering::Less => true,
        core::cmp::Ordering::Greater => false,
        // Of equal scores, such as those of a repeated address, the first host is the best.
        core::cmp::Ordering::Equal => a.1 > b.1,
    }
}

/// `-weight / ln(u)` with `u` uniform in (0, 1): each host has the highest score in proportion to
/// its weight.
fn score(key: u64, hash: u64, weight: u32) -> f64 {
    /// 2^-53: a double represents 53 bits exactly.
    const UNIT: f64 = 1.0 / 9_007_199_254_740_992.0;
    let bits = mix(key ^ mix(hash)) >> 11;
    // Never 0 or 1, whose logarithms are infinite or 0.
    let uniform = (bits as f64 + 0.5) * UNIT;
    -f64::from(weight) / libm::log(uniform)
}
