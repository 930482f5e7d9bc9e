//! The settings of Kuma's policies that simulations do not model, if they have an effect.

use alloc::{format, vec::Vec};
use core::time::Duration;

use super::super::over_time::limit_at;
use crate::{
    Diagnostic,
    mesh::{KumaSettings, KumaValue, assemble::KumaProtocol},
};

/// Limits with the numbers of their files.
type LocatedLimits = Vec<(usize, Diagnostic)>;

/// Those of a MeshCircuitBreaker.
pub(super) fn of_breaker(settings: &KumaSettings) -> LocatedLimits {
    let path = "connectionLimits.maxConnectionPools";
    let effect = "requests without a pool get 503 (UO)";
    limit(settings, path, effect).into_iter().collect()
}

/// Those of a MeshTimeout that concern the connections of a cluster.
pub(super) fn of_cluster_timeouts(
    settings: &KumaSettings,
    protocol: Option<KumaProtocol>,
) -> LocatedLimits {
    let mut found = LocatedLimits::new();
    let is_set = |path: &str| settings.time(path).is_some_and(|time| !time.is_zero());
    let path = "http.maxStreamDuration";
    if is_set(path) && is_http(protocol) {
        let effect = "requests that take that long fail";
        found.extend(limit(settings, path, effect));
    }
    found
}

/// Those of a MeshTimeout that concern requests with this timeout.
pub(super) fn of_route_timeouts(
    settings: &KumaSettings,
    timeout: Option<Duration>,
    protocol: Option<KumaProtocol>,
) -> LocatedLimits {
    let mut found = LocatedLimits::new();
    let path = "http.streamIdleTimeout";
    // A request that waits ends by its timeout before.
    let idle = settings.time(path).filter(|idle| !idle.is_zero());
    let acts = idle.is_some_and(|idle| timeout.is_none_or(|timeout| idle < timeout));
    if acts && is_http(protocol) {
        let effect = "requests that wait that long fail";
        found.extend(limit(settings, path, effect));
    }
    let path = "idleTimeout";
    let idle = settings.time(path).filter(|idle| !idle.is_zero());
    if protocol == Some(KumaProtocol::Tcp) && idle.is_some() {
        let effect = "connections without bytes for that long are closed";
        found.extend(limit(settings, path, effect));
    }
    found
}

/// Those of a MeshRetry.
pub(super) fn of_retry(settings: &KumaSettings, protocol: Option<KumaProtocol>) -> LocatedLimits {
    let mut found = LocatedLimits::new();
    let named: &[(&str, &str)] = match protocol {
        Some(KumaProtocol::Http) | None => &[
            (
                "http.rateLimitedBackOff",
                "retries wait as long as a header of the response says",
            ),
            (
                "http.retriableResponseHeaders",
                "responses with these headers can be retried",
            ),
        ],
        Some(KumaProtocol::Grpc) => &[(
            "grpc.rateLimitedBackOff",
            "retries wait as long as a header of the response says",
        )],
        _ => return found,
    };
    for (path, effect) in named {
        found.extend(limit(settings, path, effect));
    }
    if protocol == Some(KumaProtocol::Grpc) {
        return found;
    }
    let path = "http.hostSelection";
    if let Some(KumaValue::Hosts(hosts)) = settings.value(path)
        && hosts.iter().any(|of| of.predicate == "OmitHostsWithTags")
        && let Some(place) = settings.place(path)
    {
        let effect = "OmitHostsWithTags is not modeled; retries avoid hosts with these tags";
        found.push(limit_at(place, effect.into()));
    }
    let path = "http.retriableRequestHeaders";
    if let Some(KumaValue::Headers(headers)) = settings.value(path)
        && headers.iter().any(Option::is_none)
        && let Some(place) = settings.place(path)
    {
        let effect = "retriableRequestHeaders with a regular expression is not modeled; other requests can be retried";
        found.push(limit_at(place, effect.into()));
    }
    found
}

/// The limit of a setting, if a document states it.
fn limit(settings: &KumaSettings, path: &str, effect: &str) -> Option<(usize, Diagnostic)> {
    let place = settings.place(path)?;
    let name = path.rsplit('.').next().unwrap_or(path);
    let text = format!("{name} is not modeled; {effect}");
    Some(limit_at(place, text))
}

/// Whether the proxy reads requests.
fn is_http(protocol: Option<KumaProtocol>) -> bool {
    !matches!(protocol, Some(KumaProtocol::Tcp | KumaProtocol::Other))
}
