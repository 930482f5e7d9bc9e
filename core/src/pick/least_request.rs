//! `LEAST_REQUEST`: the host with the fewest active requests.

use crate::order;

/// `N_CHOICES`: the best of `choices` random hosts out of `len`, with repetition. A later host wins
/// only with strictly fewer active requests. Makes one draw for each choice; `None` if `len` is 0.
pub fn of_choices(
    len: usize,
    choices: u32,
    active: impl Fn(usize) -> u32,
    mut draw: impl FnMut() -> u64,
) -> Option<usize> {
    let mut best: Option<(usize, u32)> = None;
    for _ in 0..choices {
        // Draws with replacement: the same host can be compared with itself, as in Envoy.
        let at = draw().checked_rem(len as u64)? as usize;
        let count = active(at);
        // Of equal counts, the first draw stays.
        if best.is_none_or(|(_, fewest)| count < fewest) {
            best = Some((at, count));
        }
    }
    best.map(|(at, _)| at)
}

/// `FULL_SCAN`: the host with the fewest active requests out of `len`. Among equal hosts the choice
/// is random; each further equal host makes one draw. `None` if `len` is 0.
// A function of its own, so that its loop has all registers.
#[inline(never)]
pub fn of_all(
    len: usize,
    active: impl Fn(usize) -> u32,
    mut draw: impl FnMut() -> u64,
) -> Option<usize> {
    let mut best: Option<(usize, u32)> = None;
    let mut equals = 0_u64;
    for at in 0..len {
        let count = active(at);
        match best {
            Some((_, fewest)) if count > fewest => {}
            Some((_, fewest)) if count == fewest => {
                equals += 1;
                // Reservoir sampling: each of the hosts with the fewest requests is equally likely, with
                // one draw for each tie (`unweightedHostPickFullScan`).
                if draw().checked_rem(equals) == Some(0) {
                    best = Some((at, count));
                }
            }
            _ => {
                equals = 1;
                best = Some((at, count));
            }
        }
    }
    best.map(|(at, _)| at)
}

/// The weight of a host under `LEAST_REQUEST` with different host weights: `weight / (active +
/// 1)^bias`.
///
/// # Examples
/// ```
/// use spillgate_core::pick::biased_weight;
///
/// assert_eq!(biased_weight(6.0, 1, 1.0), 3.0);
/// assert_eq!(biased_weight(6.0, 1, 0.0), 6.0);
/// ```
#[must_use]
pub fn biased_weight(weight: f64, active: u32, bias: f64) -> f64 {
    // Envoy distinguishes these cases because a power costs more than a division.
    if bias == 1.0 {
        weight / (f64::from(active) + 1.0)
    } else if bias == 0.0 {
        weight
    } else {
        weight / libm::pow(f64::from(active) + 1.0, bias)
    }
}

/// The probability of each host under [`of_choices`], for hosts with these numbers of active
/// requests. Hosts with equal numbers are equally likely.
///
/// # Examples
/// The busier host is chosen only if both draws select it.
/// ```
/// use spillgate_core::pick::choice_shares;
///
/// assert_eq!(choice_shares(&[0, 5], 2), [0.75, 0.25]);
/// ```
pub fn choice_shares(active: &[u32], choices: u32) -> alloc::vec::Vec<f64> {
    let len = active.len() as f64;
    let sorted = order::sorted(active.to_vec(), u32::cmp);
    active
        .iter()
        .map(|&count| {
            let fewer = sorted.partition_point(|&other| other < count) as f64;
            let upto = sorted.partition_point(|&other| other <= count) as f64;
            // The probability that no draw has fewer requests, minus the probability that all have
            // more.
            let at_least = libm::pow((len - fewer) / len, choices.into());
            let more = libm::pow((len - upto) / len, choices.into());
            (at_least - more) / (upto - fewer)
        })
        .collect()
}
