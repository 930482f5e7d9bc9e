//! Clusters.

use crate::proto::{
    Irrelevance::{Admission, Discovery, Observability, Timing, Transport, UsedByOthers},
    Schema, limit,
};

/// What `max_stream_duration` and `connection_keepalive` do.
const KEEPALIVE: &str = "requests that wait for a host that does not answer fail then";

/// `envoy.config.cluster.v3.Cluster`: a cluster and everything that decides which host gets a
/// request.
pub(in crate::envoy) static CLUSTER: Schema = Schema::new(
    "Cluster",
    "@type name type cluster_type eds_cluster_config lb_policy \
     load_assignment ring_hash_lb_config maglev_lb_config \
     original_dst_lb_config round_robin_lb_config least_request_lb_config \
     lb_subset_config common_lb_config load_balancing_policy health_checks \
     metadata outlier_detection preconnect_policy circuit_breakers",
)
.of("envoy.config.cluster.v3.Cluster")
.limits(&[limit(
    "typed_extension_protocol_options",
    "the hash policy, retry policy, mirrored requests, filters or failures of \
         this cluster can be others",
)
.with(
    "*.hash_policy *.http_filters *.outlier_detection \
         *.request_mirror_policies *.retry_policy",
)])
.ignored(&[
    (Admission, "queuing_policies"),
    (
        Discovery,
        "ignore_health_on_host_removal dns_failure_refresh_rate dns_jitter \
         dns_refresh_rate respect_dns_ttl wait_for_warm_on_init",
    ),
    (
        Observability,
        "alt_stat_name lrs_report_endpoint_metrics lrs_server stats_matcher \
         track_cluster_stats track_timeout_budgets",
    ),
    (Timing, "cleanup_interval connect_timeout"),
    (
        Transport,
        "close_connections_on_host_health_failure common_http_protocol_options \
         connection_pool_per_downstream_connection filters http2_protocol_options \
         http_protocol_options max_requests_per_connection \
         per_connection_buffer_high_watermark_timeout \
         per_connection_buffer_limit_bytes protocol_selection transport_socket \
         transport_socket_matcher transport_socket_matches upstream_bind_config \
         upstream_config upstream_connection_options \
         upstream_http_protocol_options",
    ),
    (
        // They are a part of the source of hosts.
        UsedByOthers,
        "dns_lookup_family dns_resolution_config dns_resolvers \
         typed_dns_resolver_config use_tcp_for_dns_lookups",
    ),
])
.over_time(&[
    limit(
        "close_connections_on_host_health_failure",
        "requests that wait for a host fail when it becomes unhealthy",
    ),
    limit(
        "common_http_protocol_options",
        "requests that take that long fail",
    )
    .with("max_stream_duration"),
    limit("common_http_protocol_options", CONNECTIONS).with("max_requests_per_connection"),
    limit("max_requests_per_connection", CONNECTIONS),
    limit("http2_protocol_options", KEEPALIVE).with("connection_keepalive"),
    limit("outlier_detection", "they can eject hosts, too").with("monitors"),
    limit("queuing_policies", "requests can wait in a queue"),
    limit("typed_extension_protocol_options", CONNECTIONS)
        .with("*.common_http_protocol_options.max_requests_per_connection"),
    limit("typed_extension_protocol_options", KEEPALIVE).with(
        "*.common_http_protocol_options.max_stream_duration \
         *.explicit_http_config.http2_protocol_options.connection_keepalive \
         *.use_downstream_protocol_config.http2_protocol_options.connection_keepalive \
         *.auto_config.http2_protocol_options.connection_keepalive",
    ),
])
.partly("circuit_breakers health_checks outlier_detection preconnect_policy");

/// `envoy.config.cluster.v3.CircuitBreakers`: how many retries are possible at the same time.
#[cfg(feature = "yaml")]
pub(in crate::envoy) static CIRCUIT_BREAKERS: Schema = Schema::new("CircuitBreakers", "thresholds")
    .of("envoy.config.cluster.v3.CircuitBreakers")
    .ignored(&[(Admission, "per_host_thresholds")])
    .over_time(&[limit(
        "per_host_thresholds",
        "requests that need more connections to a host get 503 (UO)",
    )]);

/// `envoy.config.cluster.v3.CircuitBreakers.Thresholds`: the limits of one routing priority.
#[cfg(feature = "yaml")]
pub(in crate::envoy) static THRESHOLDS: Schema = Schema::new(
    "CircuitBreakers.Thresholds",
    "priority max_retries retry_budget",
)
.of("envoy.config.cluster.v3.CircuitBreakers.Thresholds")
.limits(&[
    limit(
        "max_connections",
        "requests beyond the first connection to each host wait, or get 503 (UO)",
    )
    .only("0"),
    limit("max_pending_requests", "requests are refused").only("0"),
    limit("max_requests", "requests are refused").only("0"),
])
.ignored(&[
    (Admission, "max_connection_pools"),
    (Observability, "track_remaining"),
])
.over_time(&[limit(
    "max_connection_pools",
    "requests without a pool get 503 (UO)",
)]);

/// What a limit of the requests of a connection does.
pub(crate) const CONNECTIONS: &str =
    "requests that need a new connection wait for it, and max_pending_requests can refuse them";

/// What `budget_interval` does.
#[cfg(feature = "yaml")]
pub(crate) const BUDGET_INTERVAL: &str =
    "more retries take place: the budget also counts requests that ended within it";

/// `envoy.config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget`: retries as a part of the
/// active requests.
#[cfg(feature = "yaml")]
pub(in crate::envoy) static RETRY_BUDGET: Schema = Schema::new(
    "CircuitBreakers.Thresholds.RetryBudget",
    "budget_percent min_retry_concurrency",
)
.of("envoy.config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget")
.ignored(&[(Timing, "budget_interval")])
.over_time(&[limit("budget_interval", BUDGET_INTERVAL).except("0s")]);

/// `envoy.config.cluster.v3.Cluster.CustomClusterType`: aggregates, and types as extensions.
pub(in crate::envoy) static CUSTOM_CLUSTER_TYPE: Schema =
    Schema::new("Cluster.CustomClusterType", "name typed_config")
        .of("envoy.config.cluster.v3.Cluster.CustomClusterType");

/// `envoy.extensions.clusters.aggregate.v3.ClusterConfig`: the member clusters of an aggregate.
pub(in crate::envoy) static AGGREGATE: Schema =
    Schema::new("aggregate.v3.ClusterConfig", "@type clusters")
        .of("envoy.extensions.clusters.aggregate.v3.ClusterConfig");

/// `envoy.extensions.clusters.composite.v3.ClusterConfig`: the members of a composite cluster.
#[cfg(feature = "yaml")]
pub(in crate::envoy) static COMPOSITE: Schema =
    Schema::new("composite.v3.ClusterConfig", "@type clusters")
        .of("envoy.extensions.clusters.composite.v3.ClusterConfig");

/// `envoy.extensions.clusters.composite.v3.ClusterConfig.ClusterEntry`: one member.
#[cfg(feature = "yaml")]
pub(in crate::envoy) static COMPOSITE_ENTRY: Schema =
    Schema::new("composite.v3.ClusterConfig.ClusterEntry", "name")
        .of("envoy.extensions.clusters.composite.v3.ClusterConfig.ClusterEntry");

/// `envoy.config.cluster.v3.Cluster.EdsClusterConfig`: the name of the EDS resource.
pub(in crate::envoy) static EDS_CLUSTER_CONFIG: Schema =
    Schema::new("Cluster.EdsClusterConfig", "service_name")
        .of("envoy.config.cluster.v3.Cluster.EdsClusterConfig")
        .ignored(&[(Discovery, "eds_config")]);

/// `envoy.config.cluster.v3.Cluster.CommonLbConfig`: panic threshold, zones, localities,
/// override statuses.
pub(in crate::envoy) static COMMON_LB_CONFIG: Schema = Schema::new(
    "Cluster.CommonLbConfig",
    "healthy_panic_threshold zone_aware_lb_config locality_weighted_lb_config \
     consistent_hashing_lb_config ignore_new_hosts_until_first_hc override_host_status",
)
.of("envoy.config.cluster.v3.Cluster.CommonLbConfig")
.ignored(&[
    (Timing, "update_merge_window"),
    (Transport, "close_connections_on_host_set_change"),
])
.over_time(&[limit(
    "close_connections_on_host_set_change",
    "requests that wait fail when hosts change",
)]);

/// `envoy.config.core.v3.HealthStatusSet`: the statuses under which a session stays on its host.
pub(in crate::envoy) static HEALTH_STATUS_SET: Schema =
    Schema::new("HealthStatusSet", "statuses").of("envoy.config.core.v3.HealthStatusSet");

/// `envoy.config.cluster.v3.OutlierDetection`: how many hosts it may eject.
pub(in crate::envoy) static OUTLIER_DETECTION: Schema = Schema::new(
    "OutlierDetection",
    "max_ejection_percent always_eject_one_host",
)
.of("envoy.config.cluster.v3.OutlierDetection")
.ignored(&[(
    Discovery,
    "base_ejection_time consecutive_5xx consecutive_gateway_failure \
     consecutive_local_origin_failure detect_degraded_hosts enforcing_consecutive_5xx \
     enforcing_consecutive_gateway_failure enforcing_consecutive_local_origin_failure \
     enforcing_failure_percentage enforcing_failure_percentage_local_origin \
     enforcing_local_origin_success_rate enforcing_success_rate \
     failure_percentage_minimum_hosts failure_percentage_request_volume \
     failure_percentage_threshold interval max_ejection_time max_ejection_time_jitter monitors \
     split_external_local_origin_errors success_rate_minimum_hosts \
     success_rate_request_volume success_rate_stdev_factor \
     successful_active_health_check_uneject_host",
)]);

/// Spillgate's own `Cluster.metadata.filter_metadata.spillgate`.
pub(in crate::envoy) static OUR_OPTIONS: Schema =
    Schema::new("the options of Spillgate", "lb_policy flatten_aggregates");
