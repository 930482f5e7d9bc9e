//! `connectionPool` and `retryBudget`: what the proxy allows at the same time.

/// `connectionPool`, as far as it limits requests. Istio reads 0 as no limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioConnectionPool {
    /// `tcp.maxConnections`.
    pub max_connections: u32,
    /// `http.http1MaxPendingRequests`.
    pub max_pending_requests: u32,
    /// `http.http2MaxRequests`.
    pub max_requests: u32,
    /// `http.maxRetries`.
    pub max_retries: u32,
    /// `http.h2UpgradePolicy`; `None` for that of the mesh.
    pub upgrades_to_http2: Option<bool>,
    /// `http.useClientProtocol`.
    pub uses_client_protocol: bool,
}

/// `retryBudget`, since Istio 1.27.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IstioRetryBudget {
    /// `percent`.
    pub percent: Option<f64>,
    /// `minRetryConcurrency`; 0 for the default.
    pub min_retry_concurrency: u32,
}
