//! The host with the fewest active requests.

use crate::order;

/// The best of `choices` draws out of `len` hosts, with repetition: a later one wins only when it
/// has strictly fewer requests. Draws once for each choice.
pub fn of_choices(
    len: usize,
    choices: u32,
    active: impl Fn(usize) -> u32,
    mut draw: impl FnMut() -> u64,
) -> Option<usize> {
    let mut best: Option<(usize, u32)> = None;
    for _ in 0..choices {
        let at = draw().checked_rem(len as u64)? as usize;
        let count = active(at);
        if best.is_none_or(|(_, fewest)| count < fewest) {
            best = Some((at, count));
        }
    }
    best.map(|(at, _)| at)
}

/// The best of all `len` hosts; each equal one draws for the place.
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

/// The weight of a host with requests under way: `weight / (active + 1) ^ bias`.
#[must_use]
pub fn biased_weight(weight: f64, active: u32, bias: f64) -> f64 {
    // Envoy tells these two apart because a power costs more than a division.
    if bias == 1.0 {
        weight / (f64::from(active) + 1.0)
    } else if bias == 0.0 {
        weight
    } else {
        weight / libm::pow(f64::from(active) + 1.0, bias)
    }
}

/// The probability that [`of_choices`] takes each of the hosts, of which `active` are the
/// requests under way. Hosts with equal counts are equally likely.
pub fn choice_shares(active: &[u32], choices: u32) -> alloc::vec::Vec<f64> {
    let len = active.len() as f64;
    let sorted = order::sorted(active.to_vec(), u32::cmp);
    active
        .iter()
        .map(|&count| {
            let fewer = sorted.partition_point(|&other| other < count) as f64;
            let upto = sorted.partition_point(|&other| other <= count) as f64;
            // All draws have at least this many, less: all have more.
            let at_least = libm::pow((len - fewer) / len, choices.into());
            let more = libm::pow((len - upto) / len, choices.into());
            (at_least - more) / (upto - fewer)
        })
        .collect()
}
