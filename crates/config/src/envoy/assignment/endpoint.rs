//! One `LbEndpoint`.

use alloc::string::String;

use spillgate_core::model::{Endpoint, Health, HealthStatus, Metadata, Value, Weight};

use crate::{
    Diagnostic,
    envoy::{
        common::{lb_struct, read_address, read_struct},
        facts::{EndpointFacts, FieldPlace, LocalityFacts, scalars_of},
        marks::EndpointMarks,
        schema::{ENDPOINT, LB_ENDPOINT},
    },
    node::Node,
    proto::{HostsKnown, Message, Path, Report, TextOrigin},
};

/// `core.v3.HealthStatus`.
pub const HEALTH_STATUS: [(&str, i64, HealthStatus); 6] = [
    ("UNKNOWN", 0, HealthStatus::Unknown),
    ("HEALTHY", 1, HealthStatus::Healthy),
    ("UNHEALTHY", 2, HealthStatus::Unhealthy),
    ("DRAINING", 3, HealthStatus::Draining),
    ("TIMEOUT", 4, HealthStatus::Timeout),
    ("DEGRADED", 5, HealthStatus::Degraded),
];

/// The field with the weight of an endpoint or a locality.
pub(super) const WEIGHT: &str = "load_balancing_weight";

/// The settings of its cluster that an endpoint depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EndpointContext {
    /// Allows DNS names in place of IP addresses.
    pub(crate) names: bool,
    /// Hash policies use the host name (`use_hostname_for_hashing`).
    pub(crate) hash_hostname: bool,
    /// The policy builds a table from the weights (RING_HASH, MAGLEV), which limits their sum.
    pub(crate) hashes: bool,
    /// Each address is used once in the whole cluster, as in EDS.
    pub(crate) once: bool,
    /// All addresses of a name are one host, as in LOGICAL_DNS.
    pub(crate) one_host: bool,
}

/// Reads one endpoint; `locality` is its index in the priority. `facts`: those of the locality.
pub(crate) fn read_endpoint(
    node: &Node<'_>,
    path: Path,
    (locality, context): (usize, EndpointContext),
    facts: Option<&mut LocalityFacts>,
    report: &mut Report,
) -> Option<(Endpoint, EndpointMarks)> {
    let endpoint = node.get("endpoint");
    let address = endpoint.and_then(|endpoint| endpoint.get("address"));
    report.at_conditions(address, |report| {
        read_at_address(node, path, (locality, context), facts, report)
    })
}

/// Notes the metadata by which the transport socket of hosts is chosen.
#[cfg(feature = "unread")]
pub(super) fn note_transport_match(
    message: &Message<'_, '_>,
    name: &'static str,
    report: &mut Report,
) {
    const FIELDS: [&str; 3] = [
        "metadata",
        "filter_metadata",
        "envoy.transport_socket_match",
    ];
    if let Some((criteria, _)) = message.nested(&FIELDS) {
        report.note_part(name, "metadata", criteria);
    }
}

fn read_at_address(
    node: &Node<'_>,
    path: Path,
    (locality, context): (usize, EndpointContext),
    facts: Option<&mut LocalityFacts>,
    report: &mut Report,
) -> Option<(Endpoint, EndpointMarks)> {
    let message = Message::open(node, path, &LB_ENDPOINT, report)?;
    #[cfg(feature = "unread")]
    note_transport_match(&message, "LbEndpoint", report);
    let status = message.enumeration("health_status", &HEALTH_STATUS, report);
    let weight = read_weight(&message, report);
    let lb = lb_struct(&message, "metadata", report);
    let metadata = lb
        .as_ref()
        .map(|(path, node)| read_struct(node, path, report))
        .unwrap_or_default();
    let hash_key = metadata_hash_key(&message, &metadata, report);
    message.one_of(&["endpoint", "endpoint_name"], report);
    if !message.has("endpoint") {
        let fault = if message.has("endpoint_name") {
            "Envoy does not support endpoint_name"
        } else {
            "endpoint without an address"
        };
        report.push(message.error("endpoint", "config/missing", fault));
        return None;
    }
    let inner = message.message("endpoint", &ENDPOINT, report)?;
    let hostname = inner
        .string("hostname", report)
        .filter(|name| !name.is_empty());
    let address = read_address(&inner, context.names, report)?;
    if address.is_name
        && report.origin() != TextOrigin::DumpWithHosts
        && report.hosts() == HostsKnown::InText
    {
        let path = inner.path.field("address");
        let position = inner.position_of("address");
        if report.is_strict() {
            let what = "DNS name is not resolved; counted as one host";
            let fault = Diagnostic::warning("config/dns-name", what).at(path.text(), position);
            report.doubt(fault.found(address.text.as_str()));
        } else if !context.one_host {
            let what = "hosts are not known from the configuration: each DNS name counts as one host; \
                        add --health FILE or --admin URL";
            report.limit("config/dns-name", what, &path, position);
        }
    }
    let hash_key = hash_key.or_else(|| {
        // A host from DNS has the looked-up name as its host name, even if that is an IP address.
        let looked_up = address.host.filter(|_| context.names);
        let hostname = hostname.map(String::from).or(looked_up);
        // Envoy hashes an absent name as an empty text.
        context.hash_hostname.then(|| hostname.unwrap_or_default())
    });
    let endpoint = Endpoint {
        address: address.text,
        weight: weight?,
        health: Health::from_status(status.unwrap_or_default()),
        locality,
        hash_key,
        metadata,
        reported_weight: None,
    };
    if let Some(facts) = facts {
        if let Some((path, node)) = &lb {
            facts.scalars.extend(scalars_of(path, node));
        }
        facts.endpoints.push(EndpointFacts {
            place: FieldPlace::of(&message),
            address: endpoint.address.clone(),
            weight: FieldPlace::of_field(&message, WEIGHT),
            metadata: lb.map(|(path, node)| FieldPlace::new(&path, node.position)),
        });
    }
    let marks = EndpointMarks {
        endpoint: node.position,
        health_status: message.get("health_status").map(|node| node.position),
    };
    Some((endpoint, marks))
}

/// `load_balancing_weight`: 1 if absent, `None` after an error.
pub(super) fn read_weight(message: &Message<'_, '_>, report: &mut Report) -> Option<Weight> {
    if !message.has(WEIGHT) {
        return Some(Weight::ONE);
    }
    Weight::new(message.positive_u32(WEIGHT, report)?)
}

/// `filter_metadata."envoy.lb".hash_key`, which Envoy uses if it is a non-empty string.
fn metadata_hash_key(
    message: &Message<'_, '_>,
    metadata: &Metadata,
    report: &mut Report,
) -> Option<String> {
    match metadata.get("hash_key")? {
        Value::Text(text) if !text.is_empty() => return Some(text.as_ref().into()),
        Value::Text(_) | Value::Null => {}
        _ => report.doubt(
            Diagnostic::warning("config/hash-key", "invalid hash_key; ignored")
                .at(
                    message.path.field("metadata").text(),
                    message.position_of("metadata"),
                )
                .expected("a string"),
        ),
    }
    None
}
