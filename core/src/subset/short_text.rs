//! Hashing and comparison of short texts in units of several bytes. Keys and values of metadata
//! have few bytes, and general-purpose functions would cost more than the comparison itself.

use core::hash::Hasher;

/// A fast hash of short texts. The table is filled from the configuration alone, so clients cannot
/// force collisions.
#[derive(Default)]
pub(super) struct WordHasher(u64);

impl WordHasher {
    const fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    /// Hashes the length and the last eight bytes, which distinguish most keys.
    pub(super) fn write_end(&mut self, bytes: &[u8]) {
        let end = match (bytes.last_chunk(), bytes.first_chunk(), bytes.last_chunk()) {
            (Some(last), _, _) => u64::from_le_bytes(*last),
            // For shorter texts, the first and the last four bytes cover everything.
            (_, Some(first), Some(last)) => {
                u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
            }
            _ => bytes
                .iter()
                .fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        self.add(end ^ bytes.len() as u64);
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, _) = bytes.as_chunks();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        // The end covers the remaining bytes, and repeats some bytes before them.
        self.write_end(bytes);
    }

    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        crate::hash::mix(self.0)
    }
}

/// Whether two texts are equal.
pub(super) fn same_text(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    match a.len() {
        length if length != b.len() => false,
        4..8 => same_ends::<4>(a, b),
        8..=16 => same_ends::<8>(a, b),
        _ => a == b,
    }
}

/// Whether the first and the last `N` bytes are equal.
fn same_ends<const N: usize>(a: &[u8], b: &[u8]) -> bool {
    a.first_chunk::<N>() == b.first_chunk() && a.last_chunk::<N>() == b.last_chunk()
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use super::*;

    #[test]
    fn texts_are_equal_only_when_every_byte_is() {
        for length in 0..20 {
            let text: String = ('a'..).take(length).collect();
            assert!(same_text(&text, &text.clone()));
            assert!(!same_text(&text, &format!("{text}x")));
            for at in 0..length {
                let mut other = text.clone().into_bytes();
                other[at] = b'-';
                let other = String::from_utf8(other).unwrap();
                assert!(!same_text(&text, &other), "{text} {other}");
                let hash = |text: &str| {
                    let mut hasher = WordHasher::default();
                    hasher.write(text.as_bytes());
                    hasher.finish()
                };
                assert_ne!(hash(&text), hash(&other), "{text} {other}");
            }
        }
    }
}
