//! Routes and what they match.

use crate::proto::Schema;

pub(in crate::envoy) static ROUTE_CONFIGURATION: Schema = Schema::new(
    "RouteConfiguration",
    &["@type", "name", "virtual_hosts", "validate_clusters"],
)
.unmodelled(&[
    "cluster_specifier_plugins",
    "ignore_path_parameters_in_path_matching",
    "ignore_port_in_host_matching",
    "route_specifiers",
    "vhds",
    "vhost_header",
])
.ignored(&[
    "internal_only_headers",
    "max_direct_response_body_size_bytes",
    "metadata",
    "most_specific_header_mutations_wins",
    "request_headers_to_add",
    "request_headers_to_remove",
    "request_mirror_policies",
    "response_headers_to_add",
    "response_headers_to_remove",
    "typed_per_filter_config",
]);

pub(in crate::envoy) static VIRTUAL_HOST: Schema =
    Schema::new("VirtualHost", &["name", "domains", "routes"])
        .unmodelled(&["matcher", "require_tls", "route_specifiers"])
        .ignored(&[
            "cors",
            "hedge_policy",
            "include_attempt_count_in_response",
            "include_is_timeout_retry_header",
            "include_request_attempt_count",
            "metadata",
            "per_request_buffer_limit_bytes",
            "rate_limits",
            "request_body_buffer_limit",
            "request_headers_to_add",
            "request_headers_to_remove",
            "request_mirror_policies",
            "response_headers_to_add",
            "response_headers_to_remove",
            "retry_policy",
            "retry_policy_typed_config",
            "typed_per_filter_config",
            "virtual_clusters",
        ]);

pub(in crate::envoy) static ROUTE: Schema = Schema::new(
    "Route",
    &[
        "name",
        "match",
        "route",
        "redirect",
        "direct_response",
        "filter_action",
        "non_forwarding_action",
    ],
)
.ignored(&[
    "decorator",
    "metadata",
    "per_request_buffer_limit_bytes",
    "request_body_buffer_limit",
    "request_headers_to_add",
    "request_headers_to_remove",
    "response_headers_to_add",
    "response_headers_to_remove",
    "route_specifiers",
    "stat_prefix",
    "tracing",
    "typed_per_filter_config",
]);

pub(in crate::envoy) static ROUTE_MATCH: Schema = Schema::new(
    "RouteMatch",
    &[
        "prefix",
        "path",
        "safe_regex",
        "connect_matcher",
        "path_separated_prefix",
        "path_match_policy",
        "case_sensitive",
        "headers",
        "runtime_fraction",
        "query_parameters",
        "cookies",
        "grpc",
        "tls_context",
        "dynamic_metadata",
        "filter_state",
    ],
);

pub(in crate::envoy) static ROUTE_ACTION: Schema = Schema::new(
    "RouteAction",
    &[
        "cluster",
        "cluster_header",
        "weighted_clusters",
        "cluster_specifier_plugin",
        "inline_cluster_specifier_plugin",
        "hash_policy",
    ],
)
.unmodelled(&["metadata_match"])
.ignored(&[
    "append_x_forwarded_host",
    "auto_host_rewrite",
    "cluster_not_found_response_code",
    "cors",
    "early_data_policy",
    "flush_timeout",
    "grpc_timeout_offset",
    "hedge_policy",
    "host_rewrite",
    "host_rewrite_header",
    "host_rewrite_literal",
    "host_rewrite_path_regex",
    "idle_timeout",
    "include_vh_rate_limits",
    "internal_redirect_action",
    "internal_redirect_policy",
    "max_grpc_timeout",
    "max_internal_redirects",
    "max_stream_duration",
    "path_rewrite",
    "path_rewrite_policy",
    "prefix_rewrite",
    "priority",
    "rate_limits",
    "regex_rewrite",
    "request_mirror_policies",
    "retry_policy",
    "retry_policy_typed_config",
    "timeout",
    "upgrade_configs",
]);

pub(in crate::envoy) static REDIRECT: Schema = Schema::new("RedirectAction", &["response_code"])
    .ignored(&[
        "host_redirect",
        "https_redirect",
        "path_redirect",
        "path_rewrite",
        "port_redirect",
        "prefix_rewrite",
        "regex_rewrite",
        "scheme_redirect",
        "strip_query",
    ]);

pub(in crate::envoy) static DIRECT_RESPONSE: Schema =
    Schema::new("DirectResponseAction", &["status"]).ignored(&["body", "body_format"]);

pub(in crate::envoy) static HASH_POLICY: Schema = Schema::new(
    "RouteAction.HashPolicy",
    &[
        "header",
        "cookie",
        "connection_properties",
        "query_parameter",
        "filter_state",
        "terminal",
    ],
);

pub(in crate::envoy) static HASH_POLICY_HEADER: Schema = Schema::new(
    "RouteAction.HashPolicy.Header",
    &["header_name", "regex_rewrite"],
);

pub(in crate::envoy) static HEADER_MATCHER: Schema = Schema::new(
    "HeaderMatcher",
    &[
        "name",
        "exact_match",
        "safe_regex_match",
        "range_match",
        "present_match",
        "prefix_match",
        "suffix_match",
        "contains_match",
        "string_match",
        "invert_match",
        "treat_missing_header_as_empty",
    ],
);

pub(in crate::envoy) static STRING_MATCHER: Schema = Schema::new(
    "StringMatcher",
    &[
        "exact",
        "prefix",
        "suffix",
        "contains",
        "safe_regex",
        "custom",
        "ignore_case",
    ],
);
