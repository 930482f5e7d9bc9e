//! Timeouts, retries and limits of Istio's documents, as the settings that its control plane writes.

use core::time::Duration;

use spillgate_core::route::{RetryBackOff, RetryCap};
use spillgate_mesh::istio::{
    IstioConnectionPool, IstioPolicy, IstioRetries, IstioRetryBudget, IstioVersion,
};

use super::{OutboundRule, OutboundSettings, over_time::OutboundHealth};
use crate::{
    envoy::{RetryLimit, RetryTime, RouteOverTime, Thresholds, UpstreamProtocol},
    mesh::{IstioProtocol, IstioServiceInput},
};

/// The settings of a cluster: outlier detection and `connectionPool`. Istio writes no health checks.
pub(super) fn cluster_health(
    policy: &IstioPolicy,
    settings: &OutboundSettings,
    service: &IstioServiceInput,
    version: IstioVersion,
) -> OutboundHealth {
    let pool = policy.connection_pool.clone().unwrap_or_default();
    OutboundHealth {
        outlier_detection: settings.outlier_settings(),
        thresholds: thresholds(&pool, policy.retry_budget.as_ref(), version),
        upstream_protocol: protocol(&pool, service),
        ..OutboundHealth::default()
    }
}

/// The thresholds: without a number, there is no limit (`applyConnectionPool`).
fn thresholds(
    pool: &IstioConnectionPool,
    budget: Option<&IstioRetryBudget>,
    version: IstioVersion,
) -> Thresholds {
    let most = |number: u32| if number > 0 { number } else { u32::MAX };
    let cap = match budget {
        None => RetryCap::Most(most(pool.max_retries)),
        Some(budget) => RetryCap::Budget {
            percent: budget.percent.unwrap_or_else(|| default_budget(version)),
            least: match budget.min_retry_concurrency {
                0 => 3,
                least => least,
            },
        },
    };
    Thresholds {
        retries: RetryLimit {
            cap,
            position: None,
        },
        connections: most(pool.max_connections),
        pending_requests: most(pool.max_pending_requests),
        requests: most(pool.max_requests),
    }
}

/// The default of `percent`. Before 1.29.2, Istio wrote 0.2 for 20 percent, which Envoy reads as a fifth of a percent.
const fn default_budget(version: IstioVersion) -> f64 {
    match version {
        IstioVersion::V1_28 => 0.2,
        IstioVersion::V1_29 | IstioVersion::V1_30 | IstioVersion::V1_31 => 20.0,
    }
}

/// The protocol of requests to hosts; of a port whose protocol Envoy detects, that of the client.
fn protocol(pool: &IstioConnectionPool, service: &IstioServiceInput) -> UpstreamProtocol {
    if pool.uses_client_protocol {
        return UpstreamProtocol::Unknown;
    }
    match (pool.upgrades_to_http2, service.protocol) {
        (Some(true), _) => UpstreamProtocol::Multiplexed,
        _ if service.is_http2 => UpstreamProtocol::Multiplexed,
        (_, IstioProtocol::Detected) => UpstreamProtocol::Unknown,
        _ => UpstreamProtocol::Http1,
    }
}

/// Sets what decides when the requests of a rule end. Without a timeout, Istio writes 0, which means no timeout.
pub(super) fn add_over_time(
    rule: &mut OutboundRule,
    retries: Option<&IstioRetries>,
    timeout_ms: Option<u64>,
    is_connections: bool,
) {
    let time = |ms: Option<u64>| ms.filter(|ms| *ms > 0).map(Duration::from_millis);
    // A policy without attempts is not written at all.
    let retries = retries.filter(|of| of.attempts > 0);
    let base = time(retries.and_then(|of| of.backoff_ms));
    let back_off = base.map_or(RetryBackOff::DEFAULT, RetryBackOff::with_base);
    let per_try = time(retries.and_then(|of| of.per_try_timeout_ms));
    rule.over_time = RouteOverTime {
        retry: rule.retry.clone(),
        time: RetryTime::new(rule.retry.retries, back_off, time(timeout_ms), per_try),
        connect_attempts: is_connections.then_some(1),
        ..RouteOverTime::default()
    };
}
