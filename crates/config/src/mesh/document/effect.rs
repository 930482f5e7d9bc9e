//! What an answer lacks without documents of a mesh that are not read.

use crate::node::{Node, NodeValue};

/// The effect of a skipped document, by its kind.
pub(super) fn effect_of_skipped(kind: &str, node: &Node<'_>) -> Option<&'static str> {
    match kind {
        "MeshExternalService" | "ExternalService" => {
            Some("external services are not modeled: the destination is not shown")
        }
        "MeshHealthCheck" | "MeshCircuitBreaker" | "HealthCheck" => {
            let panic = ["healthyPanicThreshold", "failTrafficOnPanic"];
            panic.into_iter().any(|field| has(node, field)).then_some(
                "healthyPanicThreshold and failTrafficOnPanic are not modeled: showing panic mode \
                 below 50 % of available hosts",
            )
        }
        "TrafficRoute" => Some("TrafficRoutes are not modeled: their splits are not shown"),
        "MeshProxyPatch" | "ProxyTemplate" => {
            Some("changes to the proxy configuration are not modeled: showing it without them")
        }
        _ => None,
    }
}

/// What simulations over time lack without a skipped document, by its kind.
pub(super) fn effect_over_time(kind: &str) -> Option<&'static str> {
    match kind {
        "MeshFaultInjection" | "FaultInjection" => {
            Some("faults are not injected: requests that they delay or refuse succeed here")
        }
        "MeshRateLimit" | "RateLimit" => {
            Some("rate limits are not modeled: requests beyond them get 429")
        }
        // The policies of Kuma before 2.0.
        "HealthCheck" => Some("HealthChecks are not modeled: only MeshHealthChecks are"),
        "CircuitBreaker" => Some("CircuitBreakers are not modeled: only MeshCircuitBreakers are"),
        "Retry" => Some("Retries are not modeled: only MeshRetries are"),
        "Timeout" => Some("Timeouts are not modeled: only MeshTimeouts are"),
        _ => None,
    }
}

/// Whether a field is set anywhere in a document.
fn has(node: &Node<'_>, field: &str) -> bool {
    match &node.value {
        NodeValue::Map(entries) => {
            node.get(field).is_some() || entries.iter().any(|entry| has(&entry.node, field))
        }
        NodeValue::List(items) => items.iter().any(|item| has(item, field)),
        _ => false,
    }
}
