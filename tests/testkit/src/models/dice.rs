//! Repeatable random choices.

use spillgate_core::draw::{Draw as _, SplitMix64};

use super::Extent;

/// A stream of choices that a seed repeats.
#[derive(Debug, Clone)]
pub struct Dice(SplitMix64);

impl Dice {
    /// The stream of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// The stream of the `number`th case of a seed, independent of how many cases there are.
    #[must_use]
    pub fn of(seed: u64, number: u64) -> Self {
        let mut mixed = SplitMix64::new(seed ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93));
        Self::new(mixed.draw())
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.draw()
    }

    /// A number from 0 to `end` - 1; 0 for an `end` of 0.
    pub fn below(&mut self, end: usize) -> usize {
        // The bias of the remainder does not matter for small numbers; 64 bits on every machine.
        ((self.bits() >> 16) % end.max(1) as u64) as usize
    }

    /// A number from `first` to `last`.
    pub fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last + 1 - first)
    }

    /// True with that probability, in percent.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several; the list must not be empty.
    pub fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// Some of several, in their order, each with the same chance.
    pub fn some<T: Clone>(&mut self, of: &[T], percent: usize) -> Vec<T> {
        of.iter()
            .filter(|_| self.chance(percent))
            .cloned()
            .collect()
    }

    /// A weight. A sum of a few dozen fits 32 bits: Envoy fills no table from more.
    pub fn weight(&mut self, extent: Extent) -> u32 {
        if extent.few {
            self.between(1, 4) as u32
        } else {
            (self.any_u32() >> 6).max(1)
        }
    }

    /// A number of any size: as often small as huge.
    pub fn any_u32(&mut self) -> u32 {
        let bits = self.bits();
        (bits >> 32) as u32 >> (bits % 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_and_numbers_differ() {
        let draws = |seed, number| {
            let mut dice = Dice::of(seed, number);
            [dice.bits(), dice.bits()]
        };
        assert_eq!(draws(7, 1), draws(7, 1));
        assert_ne!(draws(7, 1), draws(7, 2));
        assert_ne!(draws(7, 1), draws(8, 1));
    }

    #[test]
    fn ranges_are_used_whole() {
        let mut dice = Dice::new(1);
        let mut seen = [0; 4];
        for _ in 0..400 {
            seen[dice.between(0, 3)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 60), "{seen:?}");
        assert!(!dice.chance(0) && dice.chance(100));
    }
}
