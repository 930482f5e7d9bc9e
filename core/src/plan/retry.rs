//! The rules of retries: changed loads and rejected hosts.

use core::cell::Cell;

use super::{Facts, Loads};
use crate::{
    load::{Availability, PriorityLoad, RetryLoad, TriedPriority, previous_priorities},
    model::Value,
    route::{HostPredicate, RetryPolicy},
    snapshot::{HostRef, Snapshot},
    subset,
};

/// The number of a tried host's priority in the loads, and the priorities that its attempt asked about.
type Tried<'a> = (Option<usize>, Asked<'a>);

/// The priorities that an attempt asked about.
pub(super) enum Asked<'a> {
    /// Those of this attempt.
    Same,
    /// Those of another cluster.
    Other(&'a [Availability]),
    /// None: a hash table chose the host.
    Table,
}

/// Calls `then` with the loads that determine the priority: those of a retry that avoids tried
/// priorities, or the original loads.
///
/// Envoy asks `previous_priorities` for each choice of an attempt: after a rejected host, and for each
/// set of a subset that has no host. It forgets the attempts when no priority is left, and then
/// `forgets` is set.
#[inline(always)]
pub(super) fn with_retry<'a, R>(
    facts: &Facts<'_>,
    load: &'a PriorityLoad,
    forgets: &Cell<bool>,
    tried: &dyn Fn(&HostRef) -> Tried<'a>,
    then: impl FnOnce(&Loads<'_>) -> R,
) -> R {
    if !facts.tried.is_empty()
        && !forgets.get()
        && let Some(retry) = load_of_retry(facts, &load.availability, tried)
    {
        forgets.set(retry.exclusions_reset);
        return then(&Loads {
            healthy: &retry.healthy,
            degraded: &retry.degraded,
            forced: None,
            retry: Some(&retry),
        });
    }
    forgets.set(facts.retry.previous_priorities.is_some());
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
fn load_of_retry<'a>(
    facts: &Facts<'_>,
    availability: &'a [Availability],
    tried: &dyn Fn(&HostRef) -> Tried<'a>,
) -> Option<RetryLoad> {
    let frequency = facts.retry.previous_priorities?;
    let attempts = facts.tried.iter().enumerate().map(|(at, host)| {
        let after = facts.tried.get(at + 1);
        TriedPriority {
            number: tried(host).0,
            next: match after.map_or(Asked::Same, |host| tried(host).1) {
                Asked::Same => Some(availability),
                Asked::Other(of_other) => Some(of_other),
                Asked::Table => None,
            },
        }
    });
    // Envoy requires an `update_frequency` above 0; at least 1 avoids a division by 0 for models built in
    // code.
    previous_priorities(frequency.max(1), attempts)
}

/// The maximum number of choices until a host passes the predicates.
#[inline]
pub(crate) fn selections(facts: &Facts<'_>) -> u32 {
    if facts.tried.is_empty() || facts.retry.predicates.is_empty() {
        return 1;
    }
    let attempts = facts.retry.host_selection_attempts;
    // The first choice, then `host_selection_retry_max_attempts` further ones (`chooseHost`).
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
            // Another endpoint with the same address is another host.
            HostPredicate::PreviousHosts => facts.tried.contains(&host),
            HostPredicate::OmitCanaryHosts => {
                // `envoy.lb`'s key `canary`, only as a Boolean (`HostImplBase::canary`).
                metadata.and_then(|m| m.get("canary")) == Some(&Value::Bool(true))
            }
            HostPredicate::OmitHostMetadata(required) => {
                !required.is_empty() && metadata.is_some_and(|m| subset::matches(required, m))
            }
        })
}
