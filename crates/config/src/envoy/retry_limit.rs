//! The limits on retries at the same time.

use alloc::{string::String, vec::Vec};

use spillgate_core::route::RetryPolicy;

use super::{Marks, RetryLimit};

/// The limits on retries at the same time, by cluster; `high` for requests with the routing priority
/// `HIGH`.
#[must_use]
pub fn retry_limits(marks: &Marks, clusters: Vec<String>, high: bool) -> Vec<(String, RetryLimit)> {
    let limit = |name: String| {
        let marks = marks.cluster(&name);
        let limits = marks.map(|marks| marks.circuit_breakers);
        let limit = limits.unwrap_or_default().of(high).retries;
        (name, limit)
    };
    clusters.into_iter().map(limit).collect()
}

/// A policy under these limits: without retries if no cluster allows any.
#[must_use]
pub fn limited(policy: &RetryPolicy, limits: &[(String, RetryLimit)]) -> RetryPolicy {
    let mut policy = policy.clone();
    if !limits.is_empty() && limits.iter().all(|(_, limit)| limit.cap.allows_none()) {
        policy.retries = 0;
    }
    policy
}
