//! The endpoints of a cluster as gRPC reads them (EDS): what a model does not show.

use std::collections::BTreeSet;

use spillgate_config::envoy::facts::{EndpointFacts, LocalityFacts};
use spillgate_core::model::Locality;
use spillgate_grpc::shares::{FieldErrors, duplicate_address};

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

/// Adds the errors for which gRPC rejects the entries of an assignment: duplicate localities and
/// addresses, and entries without a locality. It reads only entries with a weight.
pub(super) fn add_errors(
    entries: &[LocalityFacts],
    messages: &Messages<'_>,
    errors: &mut FieldErrors,
) {
    let mut localities: BTreeSet<(usize, String)> = BTreeSet::new();
    let mut addresses: BTreeSet<&str> = BTreeSet::new();
    for (at, entry) in entries.iter().enumerate() {
        if entry.weight_value == 0 {
            continue;
        }
        if !entry.has_locality {
            errors.add(format!("endpoints[{at}].locality"), "field not present");
            continue;
        }
        for (host, endpoint) in entry.endpoints.iter().enumerate() {
            let read = is_read(endpoint, messages) && !endpoint.address.is_empty();
            if read && !addresses.insert(&endpoint.address) {
                let field = format!("endpoints[{at}].lb_endpoints[{host}]");
                errors.add(field, duplicate_address(&endpoint.address));
            }
        }
        let name = readable(&entry.locality);
        if !localities.insert((entry.priority, name.clone())) {
            let priority = entry.priority;
            let error = format!("duplicate locality {name} found in priority {priority}");
            errors.add(format!("endpoints[{at}]"), error);
        }
    }
}

/// A locality as gRPC prints it.
fn readable(locality: &Locality) -> String {
    let Locality {
        region,
        zone,
        sub_zone,
    } = locality;
    format!("{{region=\"{region}\", zone=\"{zone}\", sub_zone=\"{sub_zone}\"}}")
}

/// Whether gRPC reads a host with this status.
fn is_read(endpoint: &EndpointFacts, messages: &Messages<'_>) -> bool {
    let message = messages.at(&endpoint.place);
    let status = message.and_then(|message| inside(message, &["health_status"]));
    let status = status.map_or(Some("UNKNOWN"), |node| name_of(node, &STATUSES));
    matches!(status, Some("UNKNOWN" | "HEALTHY" | "DRAINING"))
}
