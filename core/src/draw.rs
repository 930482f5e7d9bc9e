//! Random draws as an argument.

use crate::hash::mix;

/// Where random numbers come from. The engine asks in a fixed order, so that the same draws give
/// the same answers in proxy, browser and terminal.
pub trait Draw {
    /// The next number, uniform over all 64-bit values.
    fn draw(&mut self) -> u64;
}

impl<D: Draw + ?Sized> Draw for &mut D {
    fn draw(&mut self) -> u64 {
        (**self).draw()
    }
}

/// SplitMix64: small, fast, and the same stream on every machine. Not for secrets.
#[derive(Debug, Clone)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The stream of a seed.
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
    fn the_stream_is_the_published_one() {
        // First outputs of the reference implementation for seed 1234567.
        let mut draw = SplitMix64::new(1_234_567);
        assert_eq!(draw.draw(), 6_457_827_717_110_365_317);
        assert_eq!(draw.draw(), 3_203_168_211_198_807_973);
    }
}
