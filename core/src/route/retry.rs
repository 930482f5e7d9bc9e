//! Which hosts a retry may go to (`RetryPolicy`).

use alloc::vec::Vec;

use crate::model::Metadata;

/// What a route says about the hosts of its retries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryPolicy {
    /// `envoy.retry_priorities.previous_priorities`: after this many tries, at least one, the
    /// levels that were tried are avoided (`update_frequency`).
    pub previous_priorities: Option<u32>,
    /// Hosts that must not be chosen again (`retry_host_predicate`).
    pub predicates: Vec<HostPredicate>,
    /// How often another host is sought when a predicate rejects one
    /// (`host_selection_retry_max_attempts`, default 1).
    pub host_selection_attempts: u32,
}

/// What makes a host unfit for a retry (`envoy.retry_host_predicates`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostPredicate {
    /// It was tried before.
    PreviousHosts,
    /// It is a canary (`envoy.lb: {canary: true}`).
    OmitCanaryHosts,
    /// It carries all of these `envoy.lb` fields.
    OmitHostMetadata(Metadata),
}

impl RetryPolicy {
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
