//! `connectionPool` and `retryBudget`.

use spillgate_mesh::istio::{IstioConnectionPool, IstioRetryBudget};

use crate::{
    envoy::{BUDGET_INTERVAL, CONNECTIONS},
    proto::{
        Irrelevance::{Timing, Transport},
        Message, Report, Schema, limit,
    },
};

/// What idle times and longest times of connections do.
const ENDS: &str = "connections end after that time";

pub(super) static POOL: Schema =
    Schema::new("connectionPool", "tcp http").of("DestinationRule.trafficPolicy.connectionPool");
pub(super) static TCP: Schema = Schema::new("tcp", "maxConnections")
    .ignored(&[
        (Timing, "connectTimeout idleTimeout maxConnectionDuration"),
        (Transport, "tcpKeepalive"),
    ])
    .over_time(&[
        limit("idleTimeout", ENDS),
        limit("maxConnectionDuration", ENDS),
    ])
    .of("DestinationRule.trafficPolicy.connectionPool.tcp");
pub(super) static HTTP: Schema = Schema::new(
    "http",
    "http1MaxPendingRequests http2MaxRequests maxRetries h2UpgradePolicy useClientProtocol",
)
.ignored(&[
    (Timing, "idleTimeout http2KeepAlive"),
    (Transport, "maxConcurrentStreams maxRequestsPerConnection"),
])
.over_time(&[
    limit("idleTimeout", ENDS),
    limit("maxRequestsPerConnection", CONNECTIONS),
    limit(
        "http2KeepAlive",
        "requests that wait for a host that does not answer fail then",
    ),
])
.of("DestinationRule.trafficPolicy.connectionPool.http");
pub(super) static RETRY_BUDGET: Schema = Schema::new("retryBudget", "percent minRetryConcurrency")
    .ignored(&[(Timing, "budgetInterval")])
    .over_time(&[limit("budgetInterval", BUDGET_INTERVAL).except("0s")])
    .of("DestinationRule.trafficPolicy.retryBudget");

/// The largest number of Istio's fields, which are signed.
const MOST: u32 = i32::MAX.unsigned_abs();

/// Reads `connectionPool`.
pub(super) fn read_connection_pool(
    parent: &Message<'_, '_>,
    report: &mut Report,
) -> Option<IstioConnectionPool> {
    let pool = parent.message("connectionPool", &POOL, report)?;
    let mut found = IstioConnectionPool::default();
    if let Some(tcp) = pool.message("tcp", &TCP, report) {
        found.max_connections = count(&tcp, "maxConnections", report);
    }
    if let Some(http) = pool.message("http", &HTTP, report) {
        found.max_pending_requests = count(&http, "http1MaxPendingRequests", report);
        found.max_requests = count(&http, "http2MaxRequests", report);
        found.max_retries = count(&http, "maxRetries", report);
        found.upgrades_to_http2 = http
            .enumeration("h2UpgradePolicy", &UPGRADE, report)
            .flatten();
        found.uses_client_protocol = http.bool("useClientProtocol", report) == Some(true);
    }
    Some(found)
}

/// The values of `h2UpgradePolicy`; the first one is the default.
static UPGRADE: [(&str, i64, Option<bool>); 3] = [
    ("DEFAULT", 0, None),
    ("DO_NOT_UPGRADE", 1, Some(false)),
    ("UPGRADE", 2, Some(true)),
];

fn count(of: &Message<'_, '_>, field: &'static str, report: &mut Report) -> u32 {
    of.u32_within(field, 0..=MOST, report).unwrap_or_default()
}

/// Reads `retryBudget`.
pub(super) fn read_retry_budget(
    parent: &Message<'_, '_>,
    report: &mut Report,
) -> Option<IstioRetryBudget> {
    let budget = parent.message("retryBudget", &RETRY_BUDGET, report)?;
    let percent = budget.wrapped_double("percent", report);
    if percent.is_some_and(|percent| !(0.0..=100.0).contains(&percent)) {
        budget.out_of_range("percent", "a percentage from 0 to 100", report);
    }
    Some(IstioRetryBudget {
        percent,
        min_retry_concurrency: budget
            .u32("minRetryConcurrency", report)
            .unwrap_or_default(),
    })
}
