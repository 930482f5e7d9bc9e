//! Shares of a Maglev table under retry host predicates.
//!
//! For choice number `n` of a request (0 is the first), Envoy looks up `hash XOR -n`. All choices
//! therefore depend on the same hash: the second choice uses the inverted hash, further ones also
//! invert some of its low bits.

use alloc::{vec, vec::Vec};

use crate::pick::gcd;

/// The most kinds of hashes that are followed at the same time.
const MOST_KINDS: usize = 1 << 22;

/// The choices in a table for hashes whose residue modulo 100 is in `from..to`.
pub(super) struct MaglevChoices<'a> {
    /// The host of each slot.
    pub(super) slots: &'a [u32],
    pub(super) from: u64,
    pub(super) to: u64,
    /// Whether a retry predicate rejects a host.
    pub(super) rejects: &'a dyn Fn(usize) -> bool,
}

/// The hashes with this slot and these low bits.
struct Kind {
    slot: u64,
    low: u64,
}

impl MaglevChoices<'_> {
    /// The share of each of `hosts` hosts after up to `choices` choices, in percent of all hashes.
    pub(super) fn percents(&self, choices: u32, hosts: usize) -> Vec<f64> {
        let mut shares = vec![0.0; hosts];
        let size = self.slots.len() as u64;
        let rejected: Vec<bool> = (0..hosts).map(self.rejects).collect();
        let is_rejected = |host: u32| rejected.get(host as usize) == Some(&true);
        let all = self.slots.iter().all(|&host| is_rejected(host));
        // Each choice is as likely as the first if the predicates reject every host, and if the slot
        // does not depend on the window.
        let all = all && gcd(100, size) == 1;
        let choices = if all { 1 } else { choices };
        let (mut bits, mut kinds) = (0, Vec::new());
        kinds.extend((0..size).map(|slot| Kind { slot, low: 0 }));
        for choice in 0..choices {
            // Choice `n` changes the hash by `n - 1` (see `host`), so only that many low bits matter.
            let needed = u64::BITS - u64::from(choice.saturating_sub(1)).leading_zeros();
            if needed > bits {
                if kinds.len() << (needed - bits) > MOST_KINDS {
                    break;
                }
                kinds = split(&kinds, bits, needed);
                bits = needed;
            }
            kinds.retain(|kind| {
                let Some(host) = self.host(kind, choice) else {
                    return false;
                };
                let again = is_rejected(host) && choice + 1 < choices;
                if !again && let Some(share) = shares.get_mut(host as usize) {
                    *share += self.percent(kind, bits);
                }
                again
            });
        }
        // Too many kinds: the rest goes to the accepted hosts as if independent.
        let rest: f64 = kinds.iter().map(|kind| self.percent(kind, bits)).sum();
        if rest > 0.0 {
            let accepted = self.slots.iter().filter(|&&host| !is_rejected(host));
            let part = rest / accepted.clone().count().max(1) as f64;
            for &host in accepted {
                if let Some(share) = shares.get_mut(host as usize) {
                    *share += part;
                }
            }
        }
        shares
    }

    /// The host of a choice.
    fn host(&self, kind: &Kind, choice: u32) -> Option<u32> {
        let size = self.slots.len() as u64;
        let slot = match choice.checked_sub(1) {
            None => kind.slot,
            Some(flip) => {
                // `hash XOR -choice` is the inverse of `hash XOR (choice - 1)`.
                let flipped = kind.low ^ u64::from(flip);
                let moved =
                    (kind.slot + flipped % size + size - kind.low % size).checked_rem(size)?;
                (u64::MAX % size + size - moved).checked_rem(size)?
            }
        };
        self.slots.get(slot as usize).copied()
    }

    /// The percentage of all hashes that are of a kind and in the window.
    fn percent(&self, kind: &Kind, bits: u32) -> f64 {
        let size = self.slots.len() as u64;
        let lows = 1_u64 << bits;
        // Only the sizes 2 and 5 have a factor in common with 100.
        if !(kind.slot ^ kind.low).is_multiple_of(gcd(size, lows)) {
            return 0.0;
        }
        let (of_slot, of_low) = (gcd(100, size), gcd(100, lows));
        let meets = |residue: &u64| {
            (residue % of_slot == kind.slot % of_slot) && (residue % of_low == kind.low % of_low)
        };
        let meeting = match of_slot * of_low {
            1 => self.to - self.from,
            _ => (self.from..self.to).filter(meets).count() as u64,
        };
        let whole = lcm(lcm(size, lows), 100);
        100.0 * meeting as f64 / whole as f64
    }
}

/// The kinds with more low bits.
fn split(kinds: &[Kind], bits: u32, needed: u32) -> Vec<Kind> {
    let added = 0..1_u64 << (needed - bits);
    let with = |kind: &Kind| {
        let (slot, low) = (kind.slot, kind.low);
        added.clone().map(move |more| Kind {
            slot,
            low: low | more << bits,
        })
    };
    kinds.iter().flat_map(with).collect()
}

const fn lcm(a: u64, b: u64) -> u64 {
    match gcd(a, b) {
        0 => 0,
        shared => a / shared * b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Draw, SplitMix64};

    /// The choices of many random hashes, made one by one.
    #[test]
    fn shares_are_those_of_many_hashes() {
        let mut draw = SplitMix64::new(3);
        for (size, hosts, choices, window) in [
            (101_u64, 4_u64, 2, (0, 100)),
            (101, 4, 4, (0, 37)),
            (7, 3, 6, (13, 90)),
            (5, 3, 3, (1, 99)),
            (2, 2, 4, (0, 51)),
            (1009, 2, 2, (0, 100)),
        ] {
            let slots: Vec<u32> = (0..size).map(|_| (draw.draw() % hosts) as u32).collect();
            let rejects = |host: usize| host.is_multiple_of(2);
            let chosen = MaglevChoices {
                slots: &slots,
                from: window.0,
                to: window.1,
                rejects: &rejects,
            };
            let shares = chosen.percents(choices, hosts as usize);
            let (mut counts, tries) = (vec![0.0; hosts as usize], 400_000);
            for _ in 0..tries {
                let hash = draw.draw();
                if !(window.0..window.1).contains(&(hash % 100)) {
                    continue;
                }
                for choice in 0..choices {
                    let hash = hash ^ u64::from(choice).wrapping_neg();
                    let host = slots[(hash % size) as usize] as usize;
                    if !rejects(host) || choice + 1 == choices {
                        counts[host] += 100.0 / f64::from(tries);
                        break;
                    }
                }
            }
            for (share, count) in shares.iter().zip(&counts) {
                assert!((share - count).abs() < 0.4, "{size}: {shares:?} {counts:?}");
            }
        }
    }
}
