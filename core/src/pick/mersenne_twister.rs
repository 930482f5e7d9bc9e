//! `std::mt19937`, the generator behind Envoy's order of hosts under bounded load.

const SIZE: usize = 624;
const MIDDLE: usize = 397;

/// The generator. Not for secrets.
pub(super) struct MersenneTwister {
    state: [u32; SIZE],
    next: usize,
}

impl MersenneTwister {
    pub(super) fn new(seed: u32) -> Self {
        let mut state = [0; SIZE];
        let mut last = seed;
        for (word, index) in state.iter_mut().zip(0_u32..) {
            if index > 0 {
                last = 1_812_433_253_u32
                    .wrapping_mul(last ^ (last >> 30))
                    .wrapping_add(index);
            }
            *word = last;
        }
        Self { state, next: SIZE }
    }

    fn word(&self, at: usize) -> u32 {
        self.state.get(at % SIZE).copied().unwrap_or(0)
    }

    fn twist(&mut self) {
        for at in 0..SIZE {
            let joined = (self.word(at) & 0x8000_0000) | (self.word(at + 1) & 0x7fff_ffff);
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            let new = self.word(at + MIDDLE) ^ (joined >> 1) ^ odd;
            if let Some(word) = self.state.get_mut(at) {
                *word = new;
            }
        }
        self.next = 0;
    }

    pub(super) fn draw(&mut self) -> u32 {
        if self.next >= SIZE {
            self.twist();
        }
        let mut word = self.word(self.next);
        self.next += 1;
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
    fn the_ten_thousandth_number_is_the_standard_one() {
        // [rand.predef] of the C++ standard.
        let mut generator = MersenneTwister::new(5489);
        let last = (0..10_000).map(|_| generator.draw()).last();
        assert_eq!(last, Some(4_123_659_995));
    }
}
