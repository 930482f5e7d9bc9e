//! Choices between clusters that a request hash settles, so that a key keeps to its cluster.
//! Ours, not Envoy's: Envoy's aggregates choose at random.

use crate::{hash::mix, pick::rendezvous};

/// A roll that the request hash alone decides, as good as a random one: what is derived from it
/// says nothing about the priority or the host that the same hash leads to later.
#[must_use]
pub const fn hash_roll(hash: u64) -> u64 {
    /// The digits of the square root of 2, which no table and no host key has a relation to.
    const APART: u64 = 0x6a09_e667_f3bc_c908;
    mix(mix(hash) ^ APART)
}

/// The place of the weight that a roll falls on; `None` where all weights are 0.
///
/// Over many rolls each place gets its weight's share. A roll keeps its place as long as it can:
/// it moves only to a weight that has grown and away from one that has shrunk, or been dropped
/// from the end. The roll is random, or [`hash_roll`]'s.
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
        for (place, share) in [(0, 0.5), (1, 0.0), (2, 0.3), (3, 0.2)] {
            let count = chosen.iter().filter(|&&at| at == place).count();
            assert!((count as f64 / 20_000.0 - share).abs() < 0.015, "{place}");
        }
        assert_eq!(weighted_choice(1, [0, 0].into_iter()), None);
        assert_eq!(weighted_choice(1, [].into_iter()), None);
    }

    #[test]
    fn keys_move_only_towards_a_weight_that_grows() {
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
