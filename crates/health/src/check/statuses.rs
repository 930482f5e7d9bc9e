//! The HTTP statuses that pass a health check, and those that count towards the threshold.

use alloc::vec::Vec;
use core::ops::Range;

use super::CheckVerdict;

/// `expected_statuses` and `retriable_statuses` of an `HttpHealthCheck`: half-open ranges within 100 to 600.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpStatuses {
    /// The statuses that pass; if empty, only 200.
    pub expected: Vec<Range<u16>>,
    /// The failures that count towards `unhealthy_threshold`. An expected status is a success, also if it is here.
    pub retriable: Vec<Range<u16>>,
}

impl HttpStatuses {
    /// The verdict about a status, without the response headers.
    #[must_use]
    pub fn verdict(&self, status: u16) -> CheckVerdict {
        let has = |ranges: &[Range<u16>]| ranges.iter().any(|range| range.contains(&status));
        let expected = match self.expected.as_slice() {
            [] => status == 200,
            ranges => has(ranges),
        };
        if expected {
            CheckVerdict::Pass { degraded: false }
        } else if has(&self.retriable) {
            CheckVerdict::Retriable
        } else {
            CheckVerdict::Fail
        }
    }
}
