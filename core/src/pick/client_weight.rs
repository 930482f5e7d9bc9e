//! Host weights from load reports, for `client_side_weighted_round_robin`.

use alloc::vec::Vec;

use crate::order;

/// The weights of the hosts of a priority: the reported weight; for hosts without a report the
/// median of all reports (the upper median of an even number), or 1 without any report.
///
/// # Examples
/// ```
/// use spillgate_core::pick::reported_weights;
///
/// assert_eq!(reported_weights(&[Some(10), None, Some(30)]), [10, 30, 30]);
/// assert_eq!(reported_weights(&[None, None]), [1, 1]);
/// ```
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
