//! Host weights from load reports, for `client_side_weighted_round_robin`.

use alloc::vec::Vec;

use crate::order;

/// The weights of the hosts of a priority: the reported weight; for hosts without a report the
/// median of all reports (the mean of the two middle ones of an even number, rounded down), or 1
/// without any report. Weights are at least 1.
///
/// # Examples
/// ```
/// use spillgate_core::pick::reported_weights;
///
/// assert_eq!(reported_weights(&[Some(10), None, Some(30)]), [10, 20, 30]);
/// assert_eq!(reported_weights(&[Some(10), None, Some(30), Some(20)]), [10, 20, 30, 20]);
/// assert_eq!(reported_weights(&[None, None]), [1, 1]);
/// assert_eq!(reported_weights(&[Some(0), None, Some(1)]), [1, 1, 1]);
/// ```
#[must_use]
pub fn reported_weights(reports: &[Option<u32>]) -> Vec<u32> {
    let known = reports.iter().copied().flatten().collect();
    let known = order::sorted(known, u32::cmp);
    let middle = known.len() / 2;
    let upper = known.get(middle).copied().unwrap_or(1);
    let lower = match known.len() % 2 {
        0 => middle.checked_sub(1).and_then(|at| known.get(at)),
        _ => None,
    };
    let median = lower.map_or(upper, |lower| lower.midpoint(upper));
    reports
        .iter()
        // No host of Envoy has a weight of 0 (`HostImplBase::weight`).
        .map(|report| report.unwrap_or(median).max(1))
        .collect()
}
