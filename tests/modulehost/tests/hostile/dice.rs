//! Random choices.

use spillgate_core::draw::{Draw as _, SplitMix64};

/// The choices of a seed.
pub(crate) struct Dice(SplitMix64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// A number below the limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.0.draw() % limit as u64) as usize
    }

    /// True in one of this number of cases.
    pub(crate) fn one_in(&mut self, number: usize) -> bool {
        self.below(number) == 0
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// The place of a random element.
    pub(crate) fn place<T>(&mut self, all: &[T]) -> Option<usize> {
        (!all.is_empty()).then(|| self.below(all.len()))
    }

    /// Random bytes, usually not UTF-8.
    pub(crate) fn bytes(&mut self, longest: usize) -> Vec<u8> {
        let length = self.below(longest + 1);
        (0..length).map(|_| self.0.draw() as u8).collect()
    }

    /// Short texts usually, sometimes none, bytes that are not UTF-8, or a very long text.
    pub(crate) fn text(&mut self, usual: &[&str]) -> Vec<u8> {
        match self.below(12) {
            0 => Vec::new(),
            1 => self.bytes(40),
            2 => vec![b'x'; 1 + self.below(70_000)],
            _ => self.pick(usual).as_bytes().to_vec(),
        }
    }
}
