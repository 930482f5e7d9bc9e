//! The hash functions of Envoy's consistent hashing: XXH64 and MurmurHash64A.

mod murmur;

use core::hash::Hasher as _;

use twox_hash::XxHash64;

pub use murmur::murmur2_64;

/// XXH64 of a text. Envoy uses seed 0, except for the second Maglev hash (1) and for repeated
/// header values (the hash so far).
///
/// # Examples
/// ```
/// use spillgate_core::hash::{xxh64, xxh64_parts};
///
/// assert_eq!(xxh64(b"", 0), 0xef46_db37_51d8_e999);
/// assert_eq!(xxh64_parts(&[b"10.0.0.1", b":80"]), xxh64(b"10.0.0.1:80", 0));
/// ```
#[must_use]
pub fn xxh64(text: &[u8], seed: u64) -> u64 {
    XxHash64::oneshot(seed, text)
}

/// Mixes all bits of a number (the finalizer of SplitMix64).
#[must_use]
pub const fn mix(number: u64) -> u64 {
    // A bijection: different numbers stay different.
    let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// XXH64 with seed 0 of a text in several parts.
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
    fn parts_hash_like_the_whole_text() {
        assert_eq!(
            xxh64_parts(&[b"127.0.0.1:90", b"_", b"17"]),
            xxh64(b"127.0.0.1:90_17", 0)
        );
    }
}
