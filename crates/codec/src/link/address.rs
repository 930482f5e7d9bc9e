//! Generated addresses for hosts.

use alloc::{format, string::String};

use super::PriorityAt;

/// The generated address of a host, from its cluster, priority and number. It is in the range of
/// RFC 2544 (benchmarks), which no real host uses.
#[must_use]
pub fn address(at: PriorityAt, number: usize) -> String {
    let block = at.cluster * 16 + at.priority;
    let (high, low) = (number / 254, number % 254 + 1);
    format!(
        "198.{}.{}.{low}:{}",
        18 + block / 256 % 2,
        block % 256,
        8080 + high
    )
}
