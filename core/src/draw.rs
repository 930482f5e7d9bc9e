//! Random numbers, passed in as an argument.
//!
//! [`Draw`] returns 64-bit numbers. SplitMix64 is part of the project, so a seed gives the same
//! stream in proxy, browser and terminal, and no update of a dependency changes it. The filter
//! seeds it once per worker from the host's entropy.

use crate::hash::mix;

/// A source of random numbers. Decisions make draws in a fixed order, so the same numbers lead to
/// the same decisions in the filter, the browser and the CLI.
///
/// # Examples
/// A fixed sequence for tests:
/// ```
/// use spillgate_core::draw::Draw;
///
/// struct Fixed(Vec<u64>);
///
/// impl Draw for Fixed {
///     fn draw(&mut self) -> u64 {
///         self.0.remove(0)
///     }
/// }
/// assert_eq!(Fixed(vec![42]).draw(), 42);
/// ```
pub trait Draw {
    /// The next number, uniformly distributed over all 64-bit values.
    fn draw(&mut self) -> u64;
}

impl<D: Draw + ?Sized> Draw for &mut D {
    fn draw(&mut self) -> u64 {
        (**self).draw()
    }
}

/// SplitMix64: a small and fast generator with the same sequence on every platform. Not for
/// secrets.
#[derive(Debug, Clone)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The sequence for a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }
}

impl Draw for SplitMix64 {
    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        // The first outputs of the reference implementation for seed 1234567.
        let mut draw = SplitMix64::new(1_234_567);
        assert_eq!(draw.draw(), 6_457_827_717_110_365_317);
        assert_eq!(draw.draw(), 3_203_168_211_198_807_973);
    }
}
