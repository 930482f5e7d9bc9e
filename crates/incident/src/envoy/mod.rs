//! What an incident needs of an Envoy configuration: the settings of health, and the retries and timeouts of routes.

mod doubts;
mod over_time;
mod route;
mod sessions;

pub use doubts::{unknown_health, unmodeled_connections, unnoticed};

pub use route::{RouteSetup, RoutingPriority, route_of};

use alloc::{string::String, vec::Vec};

use spillgate_config::envoy::{
    CircuitBreakers, HealthSettings, LocatedSettings, Thresholds, UpstreamProtocol,
};

use crate::{setup::IncidentHealth, traffic::CircuitBreaker};

/// What a configuration was written in: defaults differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ConfigOrigin {
    /// Envoy's own configuration.
    #[default]
    Envoy,
    /// Documents of Istio, whose routes have no timeout by default.
    Istio,
    /// Documents of another mesh.
    OtherMesh,
}

/// The circuit breaker of these limits.
#[must_use]
pub const fn breaker_of(limits: &Thresholds, protocol: UpstreamProtocol) -> CircuitBreaker {
    CircuitBreaker {
        connections: limits.connections,
        pending_requests: limits.pending_requests,
        requests: limits.requests,
        shares_connections: match protocol {
            UpstreamProtocol::Http1 => Some(false),
            UpstreamProtocol::Multiplexed => Some(true),
            UpstreamProtocol::Unknown => None,
        },
    }
}

/// The settings of a cluster as a simulation needs them, and what is not known of them. `priority` is that of the
/// requests; connections of other protocols have none.
#[must_use]
pub fn health_of(
    cluster: &str,
    (settings, breakers): (&HealthSettings, &CircuitBreakers),
    priority: Option<RoutingPriority>,
    doubts: &mut Vec<String>,
) -> IncidentHealth {
    doubts::of_settings(cluster, settings, doubts);
    let checks = settings.checks.iter().map(|check| check.settings.clone());
    let outlier = settings.outlier_detection.as_ref();
    if priority.is_none() {
        doubts.extend(doubts::unmodeled_connections(cluster, breakers.of(false)));
    }
    let breaker = priority.map(|priority| {
        let limits = breakers.of(priority == RoutingPriority::High);
        breaker_of(limits, settings.upstream_protocol)
    });
    IncidentHealth {
        checks: checks.collect(),
        outlier: outlier.map(|located: &LocatedSettings<_>| located.settings.clone()),
        ignores_health_on_removal: settings.ignores_health_on_removal,
        ignores_new_hosts: settings.ignores_new_hosts,
        merge_window: settings.update_merge_window.settings,
        breaker,
    }
}
