//! Deterministic choices between clusters by the request hash, so that a key stays with its
//! cluster.
//!
//! This is an extension of Spillgate. Envoy's aggregate clusters choose a member with a random
//! number.
//!
//! The request hash itself decides the priority (modulo 100) and the position in rings and tables
//! of the chosen cluster. So clusters are chosen by a mix of it ([`hash_roll`]): with a related
//! value, a member would receive only some of its hosts. Weighted targets use rendezvous hashing
//! over that value ([`weighted_choice`]): a cluster whose weight grows takes from the others only
//! what it gains, where cumulative weights would also move keys between the others.

use crate::{hash::mix, pick::rendezvous};

/// A number that depends only on the request hash. It is independent of the priority and the host
/// that the same hash selects later.
#[must_use]
pub const fn hash_roll(hash: u64) -> u64 {
    /// The digits of the square root of 2. They are unrelated to any table or host key.
    const APART: u64 = 0x6a09_e667_f3bc_c908;
    mix(mix(hash) ^ APART)
}

/// The index of the weight that a roll selects; `None` if all weights are 0.
///
/// Over many rolls, each index is selected in proportion to its weight. If the weights change, only
/// the rolls that must move do so: to an index whose weight grew, or from an index whose weight
/// shrank. The roll is random or comes from [`hash_roll`].
///
/// # Examples
/// ```
/// use spillgate_core::load::{hash_roll, weighted_choice};
///
/// let roll = hash_roll(0x1234_5678);
/// let choice = weighted_choice(roll, [70, 30].into_iter());
/// assert_eq!(choice, weighted_choice(roll, [70, 30].into_iter()));
/// assert_eq!(weighted_choice(roll, [0, 30].into_iter()), Some(1));
/// assert_eq!(weighted_choice(roll, [0, 0].into_iter()), None);
/// ```
#[must_use]
pub fn weighted_choice(roll: u64, weights: impl Iterator<Item = u32> + Clone) -> Option<usize> {
    weights.clone().find(|&weight| weight > 0)?;
    rendezvous((1..).map(mix).zip(weights), roll, 0)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn choices(weights: &[u32]) -> Vec<usize> {
        let rolls = (0..20_000).map(hash_roll);
        rolls
            .map(|roll| weighted_choice(roll, weights.iter().copied()).unwrap())
            .collect()
    }

    #[test]
    fn each_weight_gets_its_share() {
        let chosen = choices(&[50, 0, 30, 20]);
        for (index, share) in [(0, 0.5), (1, 0.0), (2, 0.3), (3, 0.2)] {
            let count = chosen.iter().filter(|&&at| at == index).count();
            assert!((count as f64 / 20_000.0 - share).abs() < 0.015, "{index}");
        }
        assert_eq!(weighted_choice(1, [0, 0].into_iter()), None);
        assert_eq!(weighted_choice(1, [].into_iter()), None);
    }

    #[test]
    fn keys_move_only_to_a_weight_that_grows() {
        let before = choices(&[50, 30, 20]);
        let after = choices(&[50, 45, 20]);
        let moved: Vec<usize> = before
            .iter()
            .zip(&after)
            .filter(|(a, b)| a != b)
            .map(|(_, b)| *b)
            .collect();
        assert!(!moved.is_empty());
        assert!(moved.iter().all(|&to| to == 1), "{moved:?}");
    }
}
