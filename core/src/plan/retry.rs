//! The loads of a retry, and which hosts it must not go to again.

use alloc::vec::Vec;

use super::{Facts, Loads};
use crate::{
    load::{Availability, PriorityLoad, RetryLoad, previous_priorities},
    model::Value,
    route::{HostPredicate, RetryPolicy},
    snapshot::{HostRef, Snapshot},
    subset,
};

/// Hands over the loads that decide the priority of a request: those of a retry that avoids the
/// priorities which were tried, or the original ones.
///
/// `place` finds the place of a host's priority in the loads.
#[inline(always)]
pub(super) fn with_retry<R>(
    facts: &Facts<'_>,
    load: &PriorityLoad,
    place: &dyn Fn(&HostRef) -> Option<usize>,
    then: impl FnOnce(&Loads<'_>) -> R,
) -> R {
    if !facts.tried.is_empty()
        && let Some(retry) = load_of_retry(facts, &load.availability, place)
    {
        return then(&Loads {
            healthy: &retry.healthy,
            degraded: &retry.degraded,
            forced: None,
            of_retry: true,
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
            of_retry: false,
        }
    }
}

#[cold]
fn load_of_retry(
    facts: &Facts<'_>,
    availability: &[Availability],
    place: &dyn Fn(&HostRef) -> Option<usize>,
) -> Option<RetryLoad> {
    let frequency = facts.retry.previous_priorities?;
    let priorities: Vec<Option<usize>> = facts.tried.iter().map(place).collect();
    previous_priorities(availability, frequency.max(1), &priorities)
}

/// How many hosts are chosen at most until one passes the predicates.
#[inline]
pub(crate) fn selections(facts: &Facts<'_>) -> u32 {
    if facts.tried.is_empty() || facts.retry.predicates.is_empty() {
        return 1;
    }
    let attempts = facts.retry.host_selection_attempts;
    attempts.min(RetryPolicy::MOST_ATTEMPTS) + 1
}

/// Whether a predicate rejects a host.
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
                // The same address under another name is the same host to Envoy.
                .any(|&tried| {
                    tried == host || {
                        let tried = snapshot.endpoint(tried).map(|e| &e.address);
                        tried.is_some() && tried == endpoint.map(|e| &e.address)
                    }
                }),
            HostPredicate::OmitCanaryHosts => {
                metadata.and_then(|m| m.get("canary")) == Some(&Value::Bool(true))
            }
            HostPredicate::OmitHostMetadata(wanted) => {
                !wanted.is_empty() && metadata.is_some_and(|m| subset::matches(wanted, m, false))
            }
        })
}
