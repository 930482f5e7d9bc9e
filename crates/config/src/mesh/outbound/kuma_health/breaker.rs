//! `connectionLimits` of a MeshCircuitBreaker as the thresholds of a cluster.

use spillgate_core::route::RetryCap;

use crate::{
    envoy::{RetryLimit, Thresholds},
    mesh::KumaSettings,
};

/// The thresholds; what is not stated is Envoy's default.
pub(super) fn thresholds(settings: &KumaSettings) -> Thresholds {
    let most = |path| settings.number(path).unwrap_or(Thresholds::DEFAULT_MOST);
    let retries = settings.number("connectionLimits.maxRetries");
    Thresholds {
        retries: RetryLimit {
            cap: RetryCap::Most(retries.unwrap_or(RetryCap::DEFAULT_MOST)),
            position: None,
        },
        connections: most("connectionLimits.maxConnections"),
        pending_requests: most("connectionLimits.maxPendingRequests"),
        requests: most("connectionLimits.maxRequests"),
    }
}
