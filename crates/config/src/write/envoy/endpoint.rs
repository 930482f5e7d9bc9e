//! One `LbEndpoint`.

use alloc::format;

use spillgate_core::model::{Endpoint, HealthStatus, Value, Weight};

use super::{
    super::tree::{Fields, within},
    address::Address,
    metadata::envoy_lb,
};
use crate::{Diagnostic, node::quote, proto::Report};

/// The settings of its cluster that an endpoint depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndpointContext<'m> {
    pub(super) cluster: &'m str,
    /// DNS resolves the addresses.
    pub(super) dns: bool,
    /// Hash policies use host names.
    pub(super) hash_hostname: bool,
}

/// The endpoint as a message. Parts that no message expresses are reported.
pub(super) fn endpoint(
    endpoint: &Endpoint,
    context: EndpointContext<'_>,
    report: &mut Report,
) -> Option<Fields> {
    let Some(address) = Address::of(&endpoint.address) else {
        Diagnostic::error(
            "write/address",
            format!("cluster {}: invalid address", quote(context.cluster)),
        )
        .found(quote(&endpoint.address))
        .expected("ip:port, [ip6]:port, name:port, a path, or envoy://listener/id")
        .push_to(report);
        return None;
    };
    if endpoint.reported_weight.is_some() {
        lossy(endpoint, "reported load is omitted", report);
    }
    let hostname = hostname(endpoint, &address, context, report);
    let inner = within("address", address.message()).with_some("hostname", hostname);
    let status = health_status(endpoint, report).name();
    Some(
        within("endpoint", inner)
            .with_unless("health_status", status, HealthStatus::Unknown.name())
            .with_unless(
                "load_balancing_weight",
                endpoint.weight.get(),
                Weight::ONE.get(),
            )
            .with_filled("metadata", envoy_lb(&endpoint.metadata)),
    )
}

/// The `hash_key` in the metadata.
pub(super) fn metadata_key(endpoint: &Endpoint) -> Option<&str> {
    match endpoint.metadata.get("hash_key") {
        Some(Value::Text(text)) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// The host name that gives the host its key, if the metadata do not.
fn hostname<'e>(
    endpoint: &'e Endpoint,
    address: &Address<'_>,
    context: EndpointContext<'_>,
    report: &mut Report,
) -> Option<&'e str> {
    let key = endpoint.hash_key.as_deref();
    let given = metadata_key(endpoint);
    let looked_up = address
        .looked_up()
        .filter(|_| context.dns && context.hash_hostname);
    if key == given.or(looked_up) {
        return None;
    }
    if key.is_none() || given.is_some() {
        let expected = given.or(looked_up).unwrap_or_default();
        Diagnostic::error(
            "write/hash-key",
            format!(
                "host {} of cluster {} has a hash key that no configuration can express",
                quote(&endpoint.address),
                quote(context.cluster)
            ),
        )
        .found(key.map_or_else(|| "none".into(), quote))
        .expected(quote(expected))
        .push_to(report);
        return None;
    }
    key
}

/// The status that is equivalent to the host's known health.
fn health_status(endpoint: &Endpoint, report: &mut Report) -> HealthStatus {
    if endpoint.health.equivalent_status().is_none() {
        lossy(
            endpoint,
            "health_status cannot express that a usable host is excluded; exclusion is omitted",
            report,
        );
    }
    endpoint.health.nearest_status()
}

fn lossy(endpoint: &Endpoint, what: &str, report: &mut Report) {
    report.push(Diagnostic::warning("write/left-out", what).found(quote(&endpoint.address)));
}
