//! Addresses for hosts that have none of their own, or none that may be told.

use alloc::{format, string::String};

use super::PriorityAt;

/// The address of a host by its place: one that no host out there has (RFC 2544's range for
/// benchmarks), told by cluster, priority and number.
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
