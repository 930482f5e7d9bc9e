//! MurmurHash64A with the seed of libstdc++'s `std::hash`: Envoy's `MURMUR_HASH_2`.

/// The seed of libstdc++.
const SEED: u64 = 0xc70f_6907;
const MULTIPLIER: u64 = 0xc6a4_a793_5bd1_e995;
const SHIFT: u32 = 47;

/// The hash of a text.
#[must_use]
pub fn murmur2_64(text: &[u8]) -> u64 {
    let (blocks, tail) = text.as_chunks::<8>();
    let mut hash = SEED ^ (text.len() as u64).wrapping_mul(MULTIPLIER);
    for block in blocks {
        // Envoy reads words of the machine, which is little endian on x86 and ARM
        // (`MurmurHash::murmurHash2`).
        let mixed = shift_mix(u64::from_le_bytes(*block).wrapping_mul(MULTIPLIER));
        hash = (hash ^ mixed.wrapping_mul(MULTIPLIER)).wrapping_mul(MULTIPLIER);
    }
    if !tail.is_empty() {
        // The last, incomplete block, little endian.
        let rest = tail
            .iter()
            .rev()
            .fold(0, |rest, &byte| (rest << 8) | u64::from(byte));
        hash = (hash ^ rest).wrapping_mul(MULTIPLIER);
    }
    shift_mix(shift_mix(hash).wrapping_mul(MULTIPLIER))
}

const fn shift_mix(value: u64) -> u64 {
    value ^ (value >> SHIFT)
}
