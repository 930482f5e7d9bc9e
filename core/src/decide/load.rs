//! The loads of a retry, and which hosts it must not go to again.

use alloc::vec::Vec;

use super::Facts;
use crate::{
    load::{AggregateLoad, Availability, RetryLoad, previous_priorities},
    model::Value,
    route::{HostPredicate, RetryPolicy},
    snapshot::{ClusterId, HostRef, Snapshot},
    subset,
};

/// The loads that avoid the levels which were tried; `None` where the original ones hold.
///
/// `place` finds the level of a host in the list that `availability` is of.
#[inline]
pub(crate) fn tried_load(
    facts: &Facts<'_>,
    availability: &[Availability],
    place: &dyn Fn(&HostRef) -> Option<usize>,
) -> Option<RetryLoad> {
    match facts.tried.is_empty() {
        true => None,
        false => load_of_retry(facts, availability, place),
    }
}

#[cold]
fn load_of_retry(
    facts: &Facts<'_>,
    availability: &[Availability],
    place: &dyn Fn(&HostRef) -> Option<usize>,
) -> Option<RetryLoad> {
    let frequency = facts.retry.previous_priorities?;
    let levels: Vec<Option<usize>> = facts.tried.iter().map(place).collect();
    previous_priorities(availability, frequency.max(1), &levels)
}

/// [`tried_load`] for the line of an aggregate.
pub(crate) fn tried_line(facts: &Facts<'_>, line: &AggregateLoad<ClusterId>) -> Option<RetryLoad> {
    let place = |host: &HostRef| {
        let mut levels = line.levels.iter();
        levels.position(|l| (l.cluster, l.priority) == (host.cluster, host.priority))
    };
    tried_load(facts, &line.load.availability, &place)
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
