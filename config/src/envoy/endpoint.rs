//! One `LbEndpoint`.

use alloc::string::String;

use spillgate_core::model::{Endpoint, Health, HealthStatus, Weight};

use super::{
    address::read_address,
    marks::EndpointMarks,
    schema::{ENDPOINT, LB_ENDPOINT, METADATA},
};
use crate::{
    Diagnostic,
    node::{Node, Value},
    proto::{Message, Path, Report},
};

const HEALTH_STATUS: [(&str, i64, HealthStatus); 6] = [
    ("UNKNOWN", 0, HealthStatus::Unknown),
    ("HEALTHY", 1, HealthStatus::Healthy),
    ("UNHEALTHY", 2, HealthStatus::Unhealthy),
    ("DRAINING", 3, HealthStatus::Draining),
    ("TIMEOUT", 4, HealthStatus::Timeout),
    ("DEGRADED", 5, HealthStatus::Degraded),
];

/// What an endpoint needs to know of its cluster.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndpointContext {
    /// DNS names may stand in place of IP addresses.
    pub(super) names: bool,
    /// Hash policies hash the host name (`use_hostname_for_hashing`).
    pub(super) hash_hostname: bool,
}

/// Reads one endpoint; `locality` is its index in the level.
pub(super) fn read_endpoint(
    node: &Node<'_>,
    path: Path,
    locality: usize,
    context: EndpointContext,
    report: &mut Report,
) -> Option<(Endpoint, EndpointMarks)> {
    let message = Message::open(node, path, &LB_ENDPOINT, report)?;
    let status = message.enumeration("health_status", &HEALTH_STATUS, report);
    let weight = read_weight(&message, report);
    let hash_key = metadata_hash_key(&message, report);
    if !message.has("endpoint") {
        if !message.has("endpoint_name") {
            report.push(message.error("endpoint", "config/missing", "an endpoint without address"));
        }
        return None;
    }
    let inner = message.message("endpoint", &ENDPOINT, report)?;
    let hostname = inner
        .string("hostname", report)
        .filter(|name| !name.is_empty());
    let address = read_address(&inner, context.names, report)?;
    if address.name.is_some() {
        report.doubt(
            Diagnostic::warning(
                "config/dns-name",
                "the hosts behind a DNS name are not known; the name counts as one host",
            )
            .at(
                inner.path.field("address").text(),
                inner.position_of("address"),
            )
            .found(address.text.as_str()),
        );
    }
    let hash_key = hash_key.or_else(|| {
        let hostname = hostname.map(String::from).or(address.name);
        hostname.filter(|_| context.hash_hostname)
    });
    let endpoint = Endpoint {
        address: address.text,
        weight: weight?,
        health: Health::from_status(status.unwrap_or_default()),
        locality,
        hash_key,
        ..Endpoint::default()
    };
    let marks = EndpointMarks {
        endpoint: node.position,
        health_status: message.get("health_status").map(|node| node.position),
    };
    Some((endpoint, marks))
}

/// `load_balancing_weight`: 1 where it is absent, `None` after an error.
pub(super) fn read_weight(message: &Message<'_, '_>, report: &mut Report) -> Option<Weight> {
    if !message.has("load_balancing_weight") {
        return Some(Weight::ONE);
    }
    Weight::new(message.positive_u32("load_balancing_weight", report)?)
}

/// `filter_metadata."envoy.lb".hash_key`, which Envoy heeds when it is a text that is not empty.
fn metadata_hash_key(message: &Message<'_, '_>, report: &mut Report) -> Option<String> {
    let metadata = message.message("metadata", &METADATA, report)?;
    let hash_key = metadata
        .get("filter_metadata")?
        .get("envoy.lb")?
        .get("hash_key")?;
    match &hash_key.value {
        Value::String(text) if !text.is_empty() => Some(text.as_ref().into()),
        Value::String(_) | Value::Null => None,
        _ => {
            report.doubt(
                Diagnostic::warning("config/hash-key", "only a text serves as hash key; ignored")
                    .at(
                        metadata.path.field("filter_metadata").text(),
                        hash_key.position,
                    )
                    .found(hash_key.describe())
                    .expected("a text"),
            );
            None
        }
    }
}
