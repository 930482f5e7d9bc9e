//! Weights from load reports, for `client_side_weighted_round_robin`.

use alloc::vec::Vec;

use crate::order;

/// The weights of a priority's hosts: what a host reported, or else the median of those reports
/// (the upper one of two), or 1 where nobody reported.
#[must_use]
pub fn reported_weights(reports: &[Option<u32>]) -> Vec<u32> {
    let known = reports.iter().copied().flatten().collect();
    let known = order::sorted(known, u32::cmp);
    let median = known.get(known.len() / 2).copied().unwrap_or(1);
    reports
        .iter()
        .map(|report| report.unwrap_or(median))
        .collect()
}
