//! `std::mt19937`, the random number generator for the host order of bounded load in Envoy.

const SIZE: usize = 624;
const MIDDLE: usize = 397;

/// The generator. Not for secrets.
///
/// Bounded load makes few draws from each generator, so the state is seeded and twisted only as far
/// as needed.
pub(super) struct MersenneTwister {
    state: [u32; SIZE],
    /// The number of seeded words.
    seeded: usize,
    /// The index of the next word.
    next: usize,
}

impl MersenneTwister {
    pub(super) const fn new(seed: u32) -> Self {
        let mut state = [0; SIZE];
        if let Some(first) = state.first_mut() {
            *first = seed;
        }
        Self {
            state,
            seeded: 1,
            next: 0,
        }
    }

    fn word(&self, at: usize) -> u32 {
        self.state.get(at).copied().unwrap_or(0)
    }

    /// Seeds the words up to this index.
    fn seed(&mut self, upto: usize) {
        let mut last = self.word(self.seeded - 1);
        while self.seeded <= upto {
            last = 1_812_433_253_u32
                .wrapping_mul(last ^ (last >> 30))
                .wrapping_add(self.seeded as u32);
            if let Some(word) = self.state.get_mut(self.seeded) {
                *word = last;
            }
            self.seeded += 1;
        }
    }

    pub(super) fn draw(&mut self) -> u32 {
        let at = self.next;
        let after = if at + 1 < SIZE { at + 1 } else { 0 };
        if self.seeded < SIZE {
            // A request draws a few numbers, so only the words that they need are seeded.
            self.seed((at + MIDDLE).min(SIZE - 1));
        }
        let middle = (at + MIDDLE) % SIZE;
        let joined = (self.word(at) & 0x8000_0000) | (self.word(after) & 0x7fff_ffff);
        let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
        let mut word = self.word(middle) ^ (joined >> 1) ^ odd;
        if let Some(twisted) = self.state.get_mut(at) {
            *twisted = word;
        }
        self.next = after;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_ten_thousandth_number_are_the_standard_ones() {
        // The values of [rand.predef] in the C++ standard.
        let mut generator = MersenneTwister::new(5489);
        let first = generator.draw();
        assert_eq!(first, 3_499_211_612);
        let last = (1..10_000).map(|_| generator.draw()).last();
        assert_eq!(last, Some(4_123_659_995));
    }
}
