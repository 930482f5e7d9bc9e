//! The settings of an active health check, with Envoy's defaults.

use alloc::string::String;
use core::time::Duration;

use super::{HttpStatuses, IntervalLimits};

/// `envoy.config.core.v3.HealthCheck`: one entry of a cluster's `health_checks`.
///
/// Durations have a precision of one millisecond, as in Envoy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveCheck {
    /// `name`, which Envoy uses for the metrics of several checkers; empty by default.
    pub name: String,
    /// The protocol of the check.
    pub kind: HealthCheckKind,
    /// `timeout`: a check without a result after this time has failed. Required, above 0.
    pub timeout: Duration,
    /// `interval`: from the result of a check to the next one. Required, above 0.
    pub interval: Duration,
    /// `initial_jitter`: the first check is sent up to this time after the start, at random; default 0.
    pub initial_jitter: Duration,
    /// `interval_jitter`: up to this time is added to each interval, at random; default 0.
    pub interval_jitter: Duration,
    /// `interval_jitter_percent`: up to this part of an interval is added to it, at random; default 0.
    pub interval_jitter_percent: u32,
    /// `unhealthy_threshold`: the number of consecutive failures that make a healthy host unhealthy. It counts network
    /// failures, timeouts and retriable statuses; any other failure makes the host unhealthy at once. Required; with 0,
    /// counted failures never do.
    pub unhealthy_threshold: u32,
    /// `healthy_threshold`: the number of consecutive successes that make an unhealthy host healthy; the first check
    /// of a host needs only one. Required; with 0, only the first check can make the host healthy.
    pub healthy_threshold: u32,
    /// `reuse_connection`: whether the checks of a host share a connection; default true.
    pub reuse_connection: bool,
    /// `no_traffic_interval`: replaces all intervals until the cluster has had a connection; default 60 s.
    pub no_traffic_interval: Duration,
    /// `no_traffic_healthy_interval`: the same after a success; default `no_traffic_interval`.
    pub no_traffic_healthy_interval: Option<Duration>,
    /// `unhealthy_interval`: the interval after a failure; default `interval`.
    pub unhealthy_interval: Option<Duration>,
    /// `unhealthy_edge_interval`: the interval after a failure that is counted towards `unhealthy_threshold`; default
    /// `unhealthy_interval`.
    pub unhealthy_edge_interval: Option<Duration>,
    /// `healthy_edge_interval`: the interval after a success that is counted towards `healthy_threshold`; default
    /// `interval`.
    pub healthy_edge_interval: Option<Duration>,
    /// `always_log_health_check_failures`: whether each failure is logged, not only the first check's; default false.
    pub always_log_health_check_failures: bool,
    /// `always_log_health_check_success`: whether each success is logged; default false.
    pub always_log_health_check_success: bool,
    /// The runtime keys `health_check.min_interval` and `health_check.max_interval`.
    pub interval_limits: IntervalLimits,
}

/// The protocol of an active health check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HealthCheckKind {
    /// `http_health_check`, with the statuses that pass.
    Http(HttpStatuses),
    /// `tcp_health_check` without `receive`: passes if a connection opens, also to a host that answers nothing.
    Tcp,
    /// `tcp_health_check` with `receive`: passes if these bytes arrive.
    TcpExchange,
    /// `grpc_health_check`: passes if the service is `SERVING`.
    Grpc,
    /// `custom_health_check`: an extension of this name decides.
    Custom(String),
}

impl ActiveCheck {
    /// A check with defaults: each failure and each success decides at once.
    #[must_use]
    pub const fn new(kind: HealthCheckKind, timeout: Duration, interval: Duration) -> Self {
        Self {
            name: String::new(),
            kind,
            timeout,
            interval,
            initial_jitter: Duration::ZERO,
            interval_jitter: Duration::ZERO,
            interval_jitter_percent: 0,
            unhealthy_threshold: 1,
            healthy_threshold: 1,
            reuse_connection: true,
            no_traffic_interval: Self::NO_TRAFFIC_INTERVAL,
            no_traffic_healthy_interval: None,
            unhealthy_interval: None,
            unhealthy_edge_interval: None,
            healthy_edge_interval: None,
            always_log_health_check_failures: false,
            always_log_health_check_success: false,
            interval_limits: IntervalLimits::NONE,
        }
    }

    /// Envoy's default of `no_traffic_interval`.
    pub const NO_TRAFFIC_INTERVAL: Duration = Duration::from_secs(60);

    /// With these values of `unhealthy_threshold` and `healthy_threshold`.
    #[must_use]
    pub fn with_thresholds(self, unhealthy: u32, healthy: u32) -> Self {
        Self {
            unhealthy_threshold: unhealthy,
            healthy_threshold: healthy,
            ..self
        }
    }
}
