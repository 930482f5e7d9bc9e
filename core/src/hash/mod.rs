//! The two hash functions that Envoy's consistent hashing uses.

mod murmur;

use core::hash::Hasher as _;

use twox_hash::XxHash64;

pub use murmur::murmur2_64;

/// XXH64 of a text. Envoy uses seed 0 everywhere but for the second maglev hash (1) and for
/// chained header values (the hash so far).
#[must_use]
pub fn xxh64(text: &[u8], seed: u64) -> u64 {
    XxHash64::oneshot(seed, text)
}

/// Spreads every bit of a number over all others (the finalizer of SplitMix64).
#[must_use]
pub const fn mix(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// XXH64, seed 0, of a text that comes in pieces.
#[must_use]
pub fn xxh64_parts(parts: &[&[u8]]) -> u64 {
    let mut hasher = XxHash64::with_seed(0);
    for part in parts {
        hasher.write(part);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_hash_like_the_whole() {
        assert_eq!(
            xxh64_parts(&[b"127.0.0.1:90", b"_", b"17"]),
            xxh64(b"127.0.0.1:90_17", 0)
        );
    }
}
