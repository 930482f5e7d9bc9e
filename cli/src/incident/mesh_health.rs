//! The settings of a cluster in documents of a mesh as a simulation needs them.

use spillgate_config::mesh::OutboundHealth;
use spillgate_incident::{
    IncidentHealth, RetryLimits,
    envoy::{RouteSetup, breaker_of, unmodeled_connections, unnoticed},
};

/// The settings. Adds the limit of retries to the routes of the cluster.
pub(super) fn mesh_health(
    cluster: &str,
    of: &OutboundHealth,
    route: &mut RouteSetup,
    doubts: &mut Vec<String>,
) -> IncidentHealth {
    if of.checks.is_empty() && of.outlier_detection.is_none() {
        doubts.push(unnoticed(cluster));
    }
    route.located_limits.extend(of.limits.iter().cloned());
    let is_http = route.priority.is_some();
    if is_http {
        route.retry_limits = Some(RetryLimits {
            cap: of.thresholds.retries.cap,
            back_off: route.back_off,
        });
    } else {
        doubts.extend(unmodeled_connections(cluster, &of.thresholds));
    }
    IncidentHealth {
        checks: of.checks.clone(),
        outlier: of.outlier_detection.clone(),
        breaker: is_http.then(|| breaker_of(&of.thresholds, of.upstream_protocol)),
        ..IncidentHealth::default()
    }
}
