//! One `LbEndpoint`.

use alloc::format;

use spillgate_core::model::{Endpoint, Health, HealthStatus, Value, Weight};

use super::{
    super::tree::{Fields, within},
    address::Address,
    metadata::envoy_lb,
};
use crate::{Diagnostic, node::quote, proto::Report};

/// What an endpoint needs to know of its cluster.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndpointContext<'m> {
    pub(super) cluster: &'m str,
    /// DNS looks the addresses up.
    pub(super) dns: bool,
    /// Hash policies hash host names.
    pub(super) hash_hostname: bool,
}

/// The endpoint as a message. What no message says of it goes into the report.
pub(super) fn endpoint(
    endpoint: &Endpoint,
    context: EndpointContext<'_>,
    report: &mut Report,
) -> Option<Fields> {
    let Some(address) = Address::of(&endpoint.address) else {
        Diagnostic::error(
            "write/address",
            format!("in the cluster {}: not an address", quote(context.cluster)),
        )
        .found(quote(&endpoint.address))
        .expected("ip:port, [ip6]:port, name:port, a path, or envoy://listener/id")
        .push_to(report);
        return None;
    };
    if endpoint.reported_weight.is_some() {
        lossy(
            endpoint,
            "what it has reported of its load is left out",
            report,
        );
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

/// The `hash_key` that the metadata gives by itself.
pub(super) fn metadata_key(endpoint: &Endpoint) -> Option<&str> {
    match endpoint.metadata.get("hash_key") {
        Some(Value::Text(text)) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// The host name that stands for a key which the metadata does not have.
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
                "the host {} of the cluster {} has a hash key that no configuration gives it",
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

/// The status with the same meaning as all that is known of a host's health.
fn health_status(endpoint: &Endpoint, report: &mut Report) -> HealthStatus {
    let health = endpoint.health;
    let same = |status: &HealthStatus| {
        let with = Health::from_status(*status);
        with.coarse() == health.coarse() && with.excluded() == health.excluded()
    };
    let found = HealthStatus::ALL.into_iter().find(same);
    if same(&health.status) {
        return health.status;
    }
    found.unwrap_or_else(|| {
        lossy(
            endpoint,
            "no health_status says that a usable host does not count for its priority's size",
            report,
        );
        let class =
            |status: &HealthStatus| Health::from_status(*status).coarse() == health.coarse();
        let nearest = HealthStatus::ALL.into_iter().find(class);
        nearest.unwrap_or(health.status)
    })
}

fn lossy(endpoint: &Endpoint, what: &str, report: &mut Report) {
    report.push(Diagnostic::warning("write/left-out", what).found(quote(&endpoint.address)));
}
