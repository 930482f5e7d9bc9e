//! One growth of the memory instead of thousands.
//!
//! The allocator of WebAssembly grows the memory in steps of 64 KiB, and browsers take about a
//! millisecond for each step, most of the time of a large text.

use alloc::vec::Vec;
use core::hint::black_box;

/// Memory for each byte of a text, measured with configurations of thousands of hosts.
const PER_BYTE: usize = 12;
/// Memory for each value, measured with texts of the shortest values.
const PER_VALUE: usize = 256;
/// The browser grants the rest in steps.
const MOST: usize = 1 << 30;

/// Grows the memory to the size that the texts require. If the browser refuses, the reading finds out.
pub(crate) fn reserve(texts: &[Vec<u8>]) {
    let size = texts.iter().map(|text| required(text)).sum::<usize>();
    let mut memory = Vec::<u8>::new();
    // The allocator keeps what it frees. Without the black box, the compiler omits both.
    let _ = memory.try_reserve_exact(size.min(MOST));
    drop(black_box(memory));
}

/// About the memory that the readers of a text require; each value ends with one of these bytes.
fn required(text: &[u8]) -> usize {
    let values = text.iter().filter(|byte| matches!(byte, b'\n' | b','));
    text.len()
        .saturating_mul(PER_BYTE)
        .saturating_add(values.count().saturating_mul(PER_VALUE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_values_require_more_memory() {
        assert_eq!(required(b""), 0);
        assert_eq!(required(b"a: b\n"), 5 * PER_BYTE + PER_VALUE);
        assert_eq!(required(b"[1,2]"), 5 * PER_BYTE + PER_VALUE);
        reserve(&[b"a".repeat(1000)]);
    }
}
