//! Retry policies, as far as they affect the choice of a host
//! (`envoy.config.route.v3.RetryPolicy`).

use alloc::{string::String, vec::Vec};

use super::{HeaderMatch, Headers};
use crate::model::Metadata;

/// The headers with which a request changes its retries; they are not modeled.
pub const RETRY_HEADERS: [&str; 6] = [
    "x-envoy-hedge-on-per-try-timeout",
    "x-envoy-max-retries",
    "x-envoy-retriable-header-names",
    "x-envoy-retriable-status-codes",
    "x-envoy-retry-grpc-on",
    "x-envoy-retry-on",
];

/// The retry policy of a route, as far as it affects the choice of a host.
///
/// # Examples
/// ```
/// use spillgate_core::route::{HostPredicate, RetryPolicy};
///
/// let policy = RetryPolicy {
///     previous_priorities: Some(2),
///     predicates: vec![HostPredicate::PreviousHosts],
///     host_selection_attempts: 5,
///     retry_on: "5xx".into(),
///     retries: 3,
///     ..RetryPolicy::NONE
/// };
/// assert_ne!(policy, RetryPolicy::NONE);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryPolicy {
    /// `envoy.retry_priorities.previous_priorities`: the number of attempts after which the loads
    /// are recomputed without the tried priorities (`update_frequency`), 1 to 2147483647; `None`
    /// without this plugin.
    pub previous_priorities: Option<u32>,
    /// Retry host predicates (`retry_host_predicate`). A host is rejected if any predicate rejects
    /// it.
    pub predicates: Vec<HostPredicate>,
    /// The maximum number of further choices if a predicate rejects the host
    /// (`host_selection_retry_max_attempts`, default 1). The last choice counts even if it is
    /// rejected. Values above [`RetryPolicy::MOST_ATTEMPTS`] count as that.
    pub host_selection_attempts: u32,
    /// Whether each retry chooses another weighted cluster (`refresh_cluster_on_retry`).
    pub refreshes_cluster: bool,
    /// The conditions of a retry, separated by commas (`retry_on`); empty for no retries.
    pub retry_on: String,
    /// The status codes of the condition `retriable-status-codes` (`retriable_status_codes`). Choices do
    /// not depend on them; only translations of other inputs have them.
    pub status_codes: Vec<u16>,
    /// The maximum number of retries (`num_retries`, default 1).
    pub retries: u32,
    /// Requests are retried if one of these conditions holds, or without conditions
    /// (`retriable_request_headers`).
    pub request_headers: Vec<HeaderMatch>,
}

/// A predicate that rejects hosts for a retry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostPredicate {
    /// `envoy.retry_host_predicates.previous_hosts`: hosts of earlier attempts.
    PreviousHosts,
    /// `omit_canary_hosts`: hosts with `canary: true` in their `envoy.lb` metadata.
    OmitCanaryHosts,
    /// `omit_host_metadata`: hosts whose `envoy.lb` metadata has all of these values.
    OmitHostMetadata(Metadata),
}

impl RetryPolicy {
    /// The maximum number of further choices. Envoy has no limit; this one bounds the time of a
    /// request.
    pub const MOST_ATTEMPTS: u32 = 1000;

    /// No retry settings.
    pub const NONE: Self = Self {
        previous_priorities: None,
        predicates: Vec::new(),
        host_selection_attempts: 1,
        refreshes_cluster: false,
        retry_on: String::new(),
        status_codes: Vec::new(),
        retries: 0,
        request_headers: Vec::new(),
    };

    /// Whether a request is retried at all: Envoy compares the headers after the changes of the route.
    #[must_use]
    pub fn retries_request<H: Headers>(&self, headers: &H) -> bool {
        let mut conditions = self.request_headers.iter();
        self.request_headers.is_empty() || conditions.any(|condition| condition.matches(headers))
    }

    /// Whether an attempt whose connection fails is retried. Envoy counts it as a reset of the stream
    /// before the request was sent, whatever the status that the client would get.
    #[must_use]
    pub fn retries_failed_connections(&self) -> bool {
        const CONDITIONS: [&str; 5] = [
            "5xx",
            "gateway-error",
            "reset",
            "reset-before-request",
            "connect-failure",
        ];
        let mut stated = self.retry_on.split(',').map(str::trim);
        stated.any(|condition| CONDITIONS.contains(&condition))
    }
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self::NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Envoy 1.40.0 with a host that refuses connections, 60 requests each.
    #[test]
    fn some_conditions_cover_failed_connections() {
        let covers = |text: &str| {
            let policy = RetryPolicy {
                retry_on: text.into(),
                ..RetryPolicy::NONE
            };
            policy.retries_failed_connections()
        };
        for text in [
            "5xx",
            "gateway-error",
            "reset",
            "reset-before-request",
            "connect-failure",
            "retriable-4xx, connect-failure",
        ] {
            assert!(covers(text), "{text}");
        }
        for text in [
            "",
            "retriable-4xx",
            "refused-stream",
            "retriable-status-codes",
            "retriable-headers",
            "unavailable",
            "http3-post-connect-failure",
        ] {
            assert!(!covers(text), "{text}");
        }
    }
}
