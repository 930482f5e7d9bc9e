//! Routes and their targets.

use crate::proto::Schema;

/// `envoy.config.route.v3.RouteConfiguration`: the virtual hosts of a listener.
pub(in crate::envoy) static ROUTE_CONFIGURATION: Schema = Schema::new(
    "RouteConfiguration",
    // Routes that use them are reported themselves.
    "@type name virtual_hosts validate_clusters ignore_path_parameters_in_path_matching \
     ignore_port_in_host_matching typed_per_filter_config cluster_specifier_plugins",
)
.not_modeled("route_specifiers vhds vhost_header")
.ignored(
    "internal_only_headers max_direct_response_body_size_bytes metadata \
     most_specific_header_mutations_wins request_headers_to_add request_headers_to_remove \
     request_mirror_policies response_headers_to_add response_headers_to_remove",
);

/// `envoy.config.route.v3.VirtualHost`: domains and their routes.
pub(in crate::envoy) static VIRTUAL_HOST: Schema = Schema::new(
    "VirtualHost",
    "name domains routes matcher retry_policy retry_policy_typed_config \
     typed_per_filter_config",
)
.not_modeled("require_tls route_specifiers")
.ignored(
    "cors hedge_policy include_attempt_count_in_response include_is_timeout_retry_header \
     include_request_attempt_count metadata per_request_buffer_limit_bytes rate_limits \
     request_body_buffer_limit request_headers_to_add request_headers_to_remove \
     request_mirror_policies response_headers_to_add response_headers_to_remove \
     virtual_clusters",
);

/// `envoy.config.route.v3.Route`: a condition and an action.
pub(in crate::envoy) static ROUTE: Schema = Schema::new(
    "Route",
    "name match route redirect direct_response filter_action metadata non_forwarding_action \
     typed_per_filter_config",
)
.ignored(
    "decorator per_request_buffer_limit_bytes request_body_buffer_limit \
     request_headers_to_add request_headers_to_remove response_headers_to_add \
     response_headers_to_remove route_specifiers stat_prefix tracing",
);

/// `envoy.config.route.v3.RouteAction`: targets, hash policies, criteria and retries.
pub(in crate::envoy) static ROUTE_ACTION: Schema = Schema::new(
    "RouteAction",
    "cluster cluster_header weighted_clusters cluster_specifier_plugin \
     inline_cluster_specifier_plugin hash_policy metadata_match \
     cluster_not_found_response_code retry_policy retry_policy_typed_config",
)
.ignored(
    "append_x_forwarded_host auto_host_rewrite cors early_data_policy flush_timeout \
     grpc_timeout_offset hedge_policy host_rewrite host_rewrite_header host_rewrite_literal \
     host_rewrite_path_regex idle_timeout include_vh_rate_limits internal_redirect_action \
     internal_redirect_policy max_grpc_timeout max_internal_redirects max_stream_duration \
     path_rewrite path_rewrite_policy prefix_rewrite priority rate_limits regex_rewrite \
     request_mirror_policies timeout upgrade_configs",
);

/// `envoy.config.route.v3.ClusterSpecifierPlugin`: an extension that names the cluster of a request.
pub(in crate::envoy) static CLUSTER_SPECIFIER_PLUGIN: Schema =
    Schema::new("ClusterSpecifierPlugin", "extension").ignored("is_optional");

/// `envoy.extensions.router.cluster_specifiers.priority_group.v3.PriorityGroupClusterSpecifier`: groups of
/// weighted clusters, one for each attempt.
pub(in crate::envoy) static PRIORITY_GROUPS: Schema =
    Schema::new("PriorityGroupClusterSpecifier", "@type priority_groups");

/// `envoy.extensions.router.cluster_specifiers.priority_group.v3.PriorityGroup`: one of them.
pub(in crate::envoy) static PRIORITY_GROUP: Schema =
    Schema::new("PriorityGroup", "clusters").ignored("name");

/// `envoy.extensions.router.cluster_specifiers.priority_group.v3.ClusterWeight`: a cluster of a group.
pub(in crate::envoy) static PRIORITY_GROUP_CLUSTER: Schema =
    Schema::new("ClusterWeight", "cluster_name weight");

/// `envoy.config.route.v3.RedirectAction`: only its status is read.
pub(in crate::envoy) static REDIRECT: Schema = Schema::new("RedirectAction", "response_code")
    .ignored(
        "host_redirect https_redirect path_redirect path_rewrite port_redirect prefix_rewrite \
     regex_rewrite scheme_redirect strip_query",
    );

/// `envoy.config.route.v3.DirectResponseAction`: only its status is read.
pub(in crate::envoy) static DIRECT_RESPONSE: Schema =
    Schema::new("DirectResponseAction", "status").ignored("body body_format");

/// `envoy.config.route.v3.WeightedCluster`: clusters that share the requests of a route.
pub(in crate::envoy) static WEIGHTED_CLUSTERS: Schema =
    Schema::new("WeightedCluster", "clusters header_name use_hash_policy")
        .not_modeled("runtime_key_prefix")
        .ignored("total_weight");

/// `envoy.config.route.v3.WeightedCluster.ClusterWeight`: one of them, with its own criteria.
pub(in crate::envoy) static CLUSTER_WEIGHT: Schema = Schema::new(
    "WeightedCluster.ClusterWeight",
    "name cluster_header weight metadata_match typed_per_filter_config",
)
.ignored(
    "host_rewrite_literal request_headers_to_add request_headers_to_remove \
     response_headers_to_add response_headers_to_remove",
);

/// `envoy.config.route.v3.RetryPolicy`: which hosts and priorities retries avoid.
pub(in crate::envoy) static RETRY_POLICY: Schema = Schema::new(
    "RetryPolicy",
    "@type retry_on retry_priority retry_host_predicate host_selection_retry_max_attempts \
     refresh_cluster_on_retry num_retries",
)
.ignored(
    "per_try_idle_timeout per_try_timeout rate_limited_retry_back_off \
     retriable_headers retriable_request_headers retriable_status_codes retry_back_off \
     retry_options_predicates",
);

/// `envoy.config.route.v3.RetryPolicy.RetryPriority` or `RetryHostPredicate`: a name and a typed
/// message.
pub(in crate::envoy) static RETRY_EXTENSION: Schema =
    Schema::new("RetryPolicy's extension", "name typed_config");

/// `envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig`: the number of
/// attempts after which priorities are excluded.
pub(in crate::envoy) static PREVIOUS_PRIORITIES: Schema =
    Schema::new("PreviousPrioritiesConfig", "@type update_frequency");

/// `envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig`: hosts that
/// retries avoid.
pub(in crate::envoy) static OMIT_HOST_METADATA: Schema =
    Schema::new("OmitHostMetadataConfig", "@type metadata_match");
