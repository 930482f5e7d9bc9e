//! The endpoints of a cluster as gRPC reads them (EDS): a model does not show everything.

use spillgate_config::envoy::facts::{EndpointFacts, LocalityFacts};
use spillgate_grpc::shares::AssignmentEntry;

use super::messages::{Messages, inside, name_of};

/// `HealthStatus`, by number.
const STATUSES: [&str; 6] = [
    "UNKNOWN",
    "HEALTHY",
    "UNHEALTHY",
    "DRAINING",
    "TIMEOUT",
    "DEGRADED",
];

/// The entries of an assignment, in input order.
pub(super) fn stated_entries<'f>(
    entries: &'f [LocalityFacts],
    messages: &Messages<'_>,
) -> Vec<AssignmentEntry<'f>> {
    let entry = |of: &'f LocalityFacts| AssignmentEntry {
        priority: of.priority,
        locality: of.has_locality.then_some(&of.locality),
        weight: of.weight_value,
        addresses: of
            .endpoints
            .iter()
            .map(|endpoint| is_read(endpoint, messages).then_some(endpoint.address.as_str()))
            .collect(),
    };
    entries.iter().map(entry).collect()
}

/// Whether gRPC reads a host with this status.
fn is_read(endpoint: &EndpointFacts, messages: &Messages<'_>) -> bool {
    let message = messages.at(&endpoint.place);
    let status = message
        .and_then(|message| inside(message, &["health_status"]))
        .map_or(Some("UNKNOWN"), |node| name_of(node, &STATUSES));
    matches!(status, Some("UNKNOWN" | "HEALTHY" | "DRAINING")) && !endpoint.address.is_empty()
}

/// Whether a host has more addresses than its first one (A61).
pub(super) fn has_more_addresses(entries: &[LocalityFacts], messages: &Messages<'_>) -> bool {
    let mut endpoints = entries.iter().flat_map(|entry| &entry.endpoints);
    endpoints.any(|endpoint| {
        let message = messages.at(&endpoint.place);
        message.is_some_and(|of| inside(of, &["endpoint", "additional_addresses"]).is_some())
    })
}
