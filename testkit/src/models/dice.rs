//! Repeatable chance.

use spillgate_core::draw::{Draw as _, SplitMix64};

/// A stream of choices that a seed repeats.
#[derive(Debug, Clone)]
pub struct Dice(SplitMix64);

impl Dice {
    /// The stream of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.draw()
    }

    /// A number from 0 to `end` - 1; 0 for an `end` of 0.
    pub fn below(&mut self, end: usize) -> usize {
        // The bias of the remainder does not matter for what is small; 64 bits on every machine.
        ((self.bits() >> 16) % end.max(1) as u64) as usize
    }

    /// A number from `first` to `last`.
    pub fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last + 1 - first)
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several, which must not be none.
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
    pub fn any_weight(&mut self) -> u32 {
        (self.any_u32() >> 6).max(1)
    }

    /// A number of any size: as often small as huge.
    pub fn any_u32(&mut self) -> u32 {
        let bits = self.bits();
        (bits >> 32) as u32 >> (bits % 32)
    }
}
