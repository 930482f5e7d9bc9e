//! The loads of a retry, and which hosts it must not go to again.

use super::Request;
use crate::{
    load::{Availability, RetryLoad, previous_priorities},
    model::Value,
    route::HostPredicate,
    snapshot::{HostRef, Snapshot},
    subset,
};

/// The loads that avoid the levels which were tried; `None` where the original ones hold.
///
/// `place` finds the level of a host in the list that `availability` is of.
pub(crate) fn tried_load<H>(
    request: &Request<'_, H>,
    availability: &[Availability],
    place: impl Fn(&HostRef) -> Option<usize>,
) -> Option<RetryLoad> {
    let frequency = request.retry.previous_priorities?;
    if request.tried.is_empty() {
        return None;
    }
    let levels = request.tried.iter().map(place);
    previous_priorities(availability, frequency.max(1), levels)
}

/// How many hosts are chosen at most until one passes the predicates.
pub(crate) fn selections<H>(request: &Request<'_, H>) -> u32 {
    if request.tried.is_empty() || request.retry.predicates.is_empty() {
        return 1;
    }
    request.retry.host_selection_attempts.saturating_add(1)
}

/// Whether a predicate rejects a host.
pub(crate) fn rejects<H>(snapshot: &Snapshot, request: &Request<'_, H>, host: HostRef) -> bool {
    if request.tried.is_empty() || request.retry.predicates.is_empty() {
        return false;
    }
    let endpoint = snapshot.endpoint(host);
    let metadata = endpoint.map(|endpoint| &endpoint.metadata);
    request
        .retry
        .predicates
        .iter()
        .any(|predicate| match predicate {
            HostPredicate::PreviousHosts => request
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
