//! Routes and their targets.

use crate::proto::{
    Irrelevance::{
        Admission, Attempts, NotInForce, Observability, Response, Timing, Transport, UsedByOthers,
    },
    Schema, limit,
};

/// `envoy.config.route.v3.RouteConfiguration`: the virtual hosts of a listener.
pub(in crate::envoy) static ROUTE_CONFIGURATION: Schema = Schema::new(
    "RouteConfiguration",
    // Routes that use them are reported themselves.
    "@type name virtual_hosts validate_clusters ignore_path_parameters_in_path_matching \
     ignore_port_in_host_matching typed_per_filter_config cluster_specifier_plugins \
     internal_only_headers most_specific_header_mutations_wins request_headers_to_add \
     request_headers_to_remove",
)
.of("envoy.config.route.v3.RouteConfiguration")
.limits(&[
    limit(
        "request_mirror_policies",
        "copies of requests advance the policy of their cluster, so picks in a row can differ",
    ),
    limit("route_specifiers", "requests can have another route"),
    limit("vhds", "its virtual hosts are missing in the answer").even_empty(),
    limit("vhost_header", "another virtual host can match"),
])
.ignored(&[
    (
        Response,
        "max_direct_response_body_size_bytes response_headers_to_add \
         response_headers_to_remove",
    ),
    (UsedByOthers, "metadata"),
])
.partly("cluster_specifier_plugins");

/// `envoy.config.route.v3.VirtualHost`: domains and their routes.
pub(in crate::envoy) static VIRTUAL_HOST: Schema = Schema::new(
    "VirtualHost",
    "name domains routes matcher retry_policy retry_policy_typed_config \
     typed_per_filter_config request_headers_to_add request_headers_to_remove \
     include_request_attempt_count",
)
.of("envoy.config.route.v3.VirtualHost")
.limits(&[
    limit("cors", "preflight requests are answered without a host"),
    limit(
        "hedge_policy",
        "after a timeout of an attempt, a second host is tried at the same time",
    )
    .with("hedge_on_per_try_timeout"),
    limit(
        "include_is_timeout_retry_header",
        "Envoy sets x-envoy-is-timeout-retry",
    )
    .header("x-envoy-is-timeout-retry"),
    limit(
        "per_request_buffer_limit_bytes",
        "a request with a larger body is not retried",
    ),
    limit(
        "request_body_buffer_limit",
        "a request with a larger body is not retried",
    ),
    limit(
        "request_mirror_policies",
        "copies of requests advance the policy of their cluster, so picks in a row can differ",
    ),
    limit("require_tls", "requests without TLS are redirected").except("NONE"),
    limit("route_specifiers", "requests can have another route"),
])
.ignored(&[
    (Admission, "rate_limits"),
    (Observability, "virtual_clusters"),
    (
        Response,
        "include_attempt_count_in_response response_headers_to_add \
         response_headers_to_remove",
    ),
    (UsedByOthers, "metadata"),
])
.over_time(&[limit(
    "rate_limits",
    "a rate limit service can refuse requests",
)])
.partly("retry_policy_typed_config");

/// `envoy.config.route.v3.Route`: a condition and an action.
pub(in crate::envoy) static ROUTE: Schema = Schema::new(
    "Route",
    "name match route redirect direct_response filter_action metadata non_forwarding_action \
     typed_per_filter_config request_headers_to_add request_headers_to_remove",
)
.of("envoy.config.route.v3.Route")
.limits(&[
    limit("decorator", "Envoy sets x-envoy-decorator-operation")
        .header("x-envoy-decorator-operation"),
    limit(
        "per_request_buffer_limit_bytes",
        "a request with a larger body is not retried",
    ),
    limit(
        "request_body_buffer_limit",
        "a request with a larger body is not retried",
    ),
    limit("route_specifiers", "requests can have another route"),
])
.ignored(&[
    (Observability, "stat_prefix tracing"),
    (
        Response,
        "response_headers_to_add response_headers_to_remove",
    ),
])
.partly("metadata");

/// `envoy.config.route.v3.RouteAction`: targets, hash policies, criteria and retries.
pub(in crate::envoy) static ROUTE_ACTION: Schema = Schema::new(
    "RouteAction",
    "cluster cluster_header weighted_clusters cluster_specifier_plugin \
     inline_cluster_specifier_plugin hash_policy metadata_match \
     cluster_not_found_response_code retry_policy retry_policy_typed_config \
     append_x_forwarded_host auto_host_rewrite host_rewrite host_rewrite_header \
     host_rewrite_literal host_rewrite_path_regex path_rewrite path_rewrite_policy \
     prefix_rewrite priority regex_rewrite",
)
.of("envoy.config.route.v3.RouteAction")
.limits(&[
    limit("cors", "preflight requests are answered without a host"),
    limit(
        "hedge_policy",
        "after a timeout of an attempt, a second host is tried at the same time",
    )
    .with("hedge_on_per_try_timeout"),
    limit(
        "internal_redirect_action",
        "a redirect that a host answers can lead to another route",
    )
    .except("PASS_THROUGH_INTERNAL_REDIRECT"),
    limit(
        "internal_redirect_policy",
        "a redirect that a host answers can lead to another route",
    )
    .even_empty(),
    limit(
        "request_mirror_policies",
        "copies of requests advance the policy of their cluster, so picks in a row can differ",
    ),
    limit("upgrade_configs", "requests with this upgrade are refused").with("enabled=false"),
])
.ignored(&[
    (Admission, "include_vh_rate_limits rate_limits"),
    (
        Timing,
        "flush_timeout grpc_timeout_offset idle_timeout max_grpc_timeout \
         max_stream_duration timeout",
    ),
    (Transport, "early_data_policy"),
    (UsedByOthers, "max_internal_redirects"),
])
.over_time(&[
    limit("idle_timeout", "requests that wait that long fail"),
    limit("max_stream_duration", "requests that take that long fail")
        .with("max_stream_duration grpc_timeout_header_max"),
    limit(
        "max_grpc_timeout",
        "requests of gRPC end by their own timeout",
    ),
    limit("rate_limits", "a rate limit service can refuse requests"),
])
.partly(
    "cluster_specifier_plugin inline_cluster_specifier_plugin max_internal_redirects \
     priority retry_policy_typed_config",
);

/// `envoy.config.route.v3.ClusterSpecifierPlugin`: an extension that names the cluster of a request.
pub(in crate::envoy) static CLUSTER_SPECIFIER_PLUGIN: Schema =
    Schema::new("ClusterSpecifierPlugin", "extension")
        .of("envoy.config.route.v3.ClusterSpecifierPlugin")
        .ignored(&[(UsedByOthers, "is_optional")]);

/// `envoy.extensions.router.cluster_specifiers.priority_group.v3.PriorityGroupClusterSpecifier`: groups of
/// weighted clusters, one for each attempt.
pub(in crate::envoy) static PRIORITY_GROUPS: Schema = Schema::new(
    "PriorityGroupClusterSpecifier",
    "@type priority_groups header_name use_hash_policy",
)
.of("envoy.extensions.router.cluster_specifiers.priority_group.v3.PriorityGroupClusterSpecifier")
.limits(&[limit(
    "override_metadata_namespace",
    "metadata of the request can have other groups",
)]);

/// `envoy.extensions.router.cluster_specifiers.priority_group.v3.PriorityGroup`: one of them.
pub(in crate::envoy) static PRIORITY_GROUP: Schema = Schema::new("PriorityGroup", "clusters")
    .of("envoy.extensions.router.cluster_specifiers.priority_group.v3.PriorityGroup")
    .ignored(&[(Observability, "name")]);

/// `envoy.extensions.router.cluster_specifiers.priority_group.v3.ClusterWeight`: a cluster of a group.
pub(in crate::envoy) static PRIORITY_GROUP_CLUSTER: Schema =
    Schema::new("ClusterWeight", "cluster_name weight")
        .of("envoy.extensions.router.cluster_specifiers.priority_group.v3.ClusterWeight");

/// `envoy.config.route.v3.RedirectAction`: only its status is read.
pub(in crate::envoy) static REDIRECT: Schema = Schema::new("RedirectAction", "response_code")
    .of("envoy.config.route.v3.RedirectAction")
    .ignored(&[(
        Response,
        "host_redirect https_redirect path_redirect path_rewrite port_redirect \
         prefix_rewrite regex_rewrite scheme_redirect strip_query",
    )]);

/// `envoy.config.route.v3.DirectResponseAction`: only its status is read.
pub(in crate::envoy) static DIRECT_RESPONSE: Schema = Schema::new("DirectResponseAction", "status")
    .of("envoy.config.route.v3.DirectResponseAction")
    .ignored(&[(Response, "body body_format")]);

/// `envoy.config.route.v3.WeightedCluster`: clusters that share the requests of a route.
pub(in crate::envoy) static WEIGHTED_CLUSTERS: Schema = Schema::new(
    "WeightedCluster",
    "clusters header_name runtime_key_prefix use_hash_policy",
)
.of("envoy.config.route.v3.WeightedCluster")
.ignored(&[(NotInForce, "total_weight")]);

/// `envoy.config.route.v3.WeightedCluster.ClusterWeight`: one of them, with its own criteria.
pub(in crate::envoy) static CLUSTER_WEIGHT: Schema = Schema::new(
    "WeightedCluster.ClusterWeight",
    "name cluster_header weight metadata_match typed_per_filter_config host_rewrite_literal \
     request_headers_to_add request_headers_to_remove",
)
.of("envoy.config.route.v3.WeightedCluster.ClusterWeight")
.ignored(&[(
    Response,
    "response_headers_to_add response_headers_to_remove",
)]);

/// `envoy.config.route.v3.RetryPolicy`: which hosts and priorities retries avoid.
pub(in crate::envoy) static RETRY_POLICY: Schema = Schema::new(
    "RetryPolicy",
    "@type retry_on retry_priority retry_host_predicate host_selection_retry_max_attempts \
     refresh_cluster_on_retry num_retries retriable_request_headers retriable_status_codes",
)
.of("envoy.config.route.v3.RetryPolicy")
.ignored(&[
    (Attempts, "retriable_headers retry_options_predicates"),
    (
        Timing,
        "per_try_idle_timeout per_try_timeout rate_limited_retry_back_off \
         retry_back_off",
    ),
])
.over_time(&[
    limit(
        "per_try_idle_timeout",
        "attempts that wait that long fail and are retried",
    ),
    limit(
        "rate_limited_retry_back_off",
        "retries wait as long as responses say",
    ),
    limit(
        "retriable_headers",
        "responses with these headers are retried, too",
    ),
    limit(
        "retry_options_predicates",
        "retries can go to another cluster",
    ),
]);

/// `envoy.config.route.v3.RetryPolicy.RetryPriority` or `RetryHostPredicate`: a name and a typed
/// message.
pub(in crate::envoy) static RETRY_EXTENSION: Schema =
    Schema::new("RetryPolicy's extension", "name typed_config")
        .of("envoy.config.route.v3.RetryPolicy.RetryPriority");

/// `envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig`: the number of
/// attempts after which priorities are excluded.
pub(in crate::envoy) static PREVIOUS_PRIORITIES: Schema =
    Schema::new("PreviousPrioritiesConfig", "@type update_frequency")
        .of("envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig");

/// `envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig`: hosts that
/// retries avoid.
pub(in crate::envoy) static OMIT_HOST_METADATA: Schema =
    Schema::new("OmitHostMetadataConfig", "@type metadata_match")
        .of("envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig");
