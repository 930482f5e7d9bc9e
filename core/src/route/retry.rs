//! What a retry does to the choice of a host (`RetryPolicy`).

use alloc::vec::Vec;

use crate::model::Metadata;

/// A route's retry policy, as far as it chooses hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Priorities of hosts that were tried lose their traffic
    /// (`envoy.retry_priorities.previous_priorities`): after how many tries the loads are
    /// computed again (`update_frequency`), 1 to 2147483647.
    pub previous_priorities: Option<u32>,
    /// Hosts that are not taken (`retry_host_predicate`); one that holds is enough.
    pub predicates: Vec<HostPredicate>,
    /// How often a host is chosen anew when a predicate refuses it
    /// (`host_selection_retry_max_attempts`); the last one is taken whatever it is. Of more than
    /// [`RetryPolicy::MOST_ATTEMPTS`] that many are made.
    pub host_selection_attempts: u32,
}

/// Which hosts a retry passes over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostPredicate {
    /// Those that were tried.
    PreviousHosts,
    /// Canaries: those with `canary: true` in their `envoy.lb` metadata.
    OmitCanaryHosts,
    /// Those whose `envoy.lb` metadata has all of this.
    OmitHostMetadata(Metadata),
}

impl RetryPolicy {
    /// How often a host is chosen anew at most. Envoy sets no limit; here each request's time has
    /// one.
    pub const MOST_ATTEMPTS: u32 = 1000;

    /// No word about hosts.
    pub const NONE: Self = Self {
        previous_priorities: None,
        predicates: Vec::new(),
        host_selection_attempts: 1,
    };
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self::NONE
    }
}
