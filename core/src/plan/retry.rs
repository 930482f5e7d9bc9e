//! The rules of retries: changed loads and rejected hosts.

use alloc::vec::Vec;

use super::{Facts, Loads};
use crate::{
    load::{Availability, PriorityLoad, RetryLoad, previous_priorities},
    model::Value,
    route::{HostPredicate, RetryPolicy},
    snapshot::{HostRef, Snapshot},
    subset,
};

/// Calls `then` with the loads that determine the priority: those of a retry that avoids tried
/// priorities, or the original loads.
///
/// `index_of` returns the index of a host's priority in the loads.
#[inline(always)]
pub(super) fn with_retry<R>(
    facts: &Facts<'_>,
    load: &PriorityLoad,
    index_of: &dyn Fn(&HostRef) -> Option<usize>,
    then: impl FnOnce(&Loads<'_>) -> R,
) -> R {
    if !facts.tried.is_empty()
        && let Some(retry) = load_of_retry(facts, &load.availability, index_of)
    {
        return then(&Loads {
            healthy: &retry.healthy,
            degraded: &retry.degraded,
            forced: None,
            retry: Some(&retry),
        });
    }
    then(&load.into())
}

impl<'a> From<&'a PriorityLoad> for Loads<'a> {
    fn from(load: &'a PriorityLoad) -> Self {
        Self {
            healthy: &load.healthy,
            degraded: &load.degraded,
            forced: None,
            retry: None,
        }
    }
}

#[cold]
fn load_of_retry(
    facts: &Facts<'_>,
    availability: &[Availability],
    index_of: &dyn Fn(&HostRef) -> Option<usize>,
) -> Option<RetryLoad> {
    let frequency = facts.retry.previous_priorities?;
    let priorities: Vec<Option<usize>> = facts.tried.iter().map(index_of).collect();
    previous_priorities(availability, frequency.max(1), &priorities)
}

/// The maximum number of choices until a host passes the predicates.
#[inline]
pub(crate) fn selections(facts: &Facts<'_>) -> u32 {
    if facts.tried.is_empty() || facts.retry.predicates.is_empty() {
        return 1;
    }
    let attempts = facts.retry.host_selection_attempts;
    attempts.min(RetryPolicy::MOST_ATTEMPTS) + 1
}

/// Whether a retry host predicate rejects a host.
#[inline]
pub(crate) fn rejects(snapshot: &Snapshot, facts: &Facts<'_>, host: HostRef) -> bool {
    !facts.tried.is_empty() && rejected_retry(snapshot, facts, host)
}

#[cold]
fn rejected_retry(snapshot: &Snapshot, facts: &Facts<'_>, host: HostRef) -> bool {
    let endpoint = snapshot.endpoint(host);
    let metadata = endpoint.map(|endpoint| &endpoint.metadata);
    facts
        .retry
        .predicates
        .iter()
        .any(|predicate| match predicate {
            HostPredicate::PreviousHosts => facts
                .tried
                .iter()
                // Envoy compares addresses, so another endpoint with the same address is the same
                // host.
                .any(|&tried| {
                    tried == host || {
                        let tried = snapshot.endpoint(tried).map(|e| &e.address);
                        tried.is_some() && tried == endpoint.map(|e| &e.address)
                    }
                }),
            HostPredicate::OmitCanaryHosts => {
                metadata.and_then(|m| m.get("canary")) == Some(&Value::Bool(true))
            }
            HostPredicate::OmitHostMetadata(required) => {
                !required.is_empty() && metadata.is_some_and(|m| subset::matches(required, m))
            }
        })
}
