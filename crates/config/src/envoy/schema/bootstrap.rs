//! The bootstrap and the messages on the way to routes.

use crate::proto::{
    Irrelevance::{
        Admission, Discovery, Observability, Process, Response, Timing, Transport, UsedByOthers,
    },
    Schema, limit,
};

/// `envoy.config.bootstrap.v3.Bootstrap`: the whole static configuration.
pub(in crate::envoy) static BOOTSTRAP: Schema = Schema::new(
    "Bootstrap",
    "@type static_resources node cluster_manager layered_runtime",
)
.of("envoy.config.bootstrap.v3.Bootstrap")
.limits(&[
    limit(
        "default_regex_engine",
        "regular expressions can match other texts",
    )
    .except_types("GoogleRE2"),
    limit(
        "header_prefix",
        "headers that start with x-envoy- have another prefix",
    )
    .header("*"),
    limit("inline_headers", "several values of such a header are one")
        .with("inline_header_type=REQUEST_HEADER"),
])
.ignored(&[
    (Admission, "overload_manager"),
    (
        Discovery,
        "config_sources default_config_source dns_resolution_config dynamic_resources \
         hds_config node_context_params typed_dns_resolver_config \
         use_tcp_for_dns_lookups xds_config_tracker_extension xds_delegate_extension",
    ),
    (
        Observability,
        "application_log_config deferred_stat_options enable_dispatcher_stats \
         perf_tracing_file_path stats_config stats_eviction_interval \
         stats_flush_interval stats_flush_on_admin stats_server_version_override \
         stats_sinks tracing",
    ),
    (
        Process,
        "admin bootstrap_extensions default_socket_interface enable_worker_cpu_affinity \
         fatal_actions flags_path listener_manager memory_allocator_manager watchdog \
         watchdogs",
    ),
    (
        Transport,
        "certificate_provider_instances grpc_async_client_manager_config",
    ),
])
.over_time(&[
    limit("overload_manager", "an overloaded proxy refuses requests")
        .with("actions loadshed_points"),
])
.partly("bootstrap_extensions");

/// `envoy.config.bootstrap.v3.LayeredRuntime`: the runtime values of all layers.
#[cfg(feature = "yaml")]
pub(in crate::envoy) static LAYERED_RUNTIME: Schema =
    Schema::new("LayeredRuntime", "layers").of("envoy.config.bootstrap.v3.LayeredRuntime");

/// `envoy.config.bootstrap.v3.RuntimeLayer`: one layer; only static ones have their values here.
#[cfg(feature = "yaml")]
pub(in crate::envoy) static RUNTIME_LAYER: Schema = Schema::new(
    "RuntimeLayer",
    "name static_layer disk_layer admin_layer rtds_layer",
)
.of("envoy.config.bootstrap.v3.RuntimeLayer");

/// The response of `/runtime`, which is no message of Envoy: the final values of all layers.
#[cfg(feature = "yaml")]
pub(in crate::envoy) static RUNTIME_VALUES: Schema =
    Schema::new("a response of /runtime", "entries layers");

/// A value in the response of `/runtime`.
#[cfg(feature = "yaml")]
pub(in crate::envoy) static RUNTIME_ENTRY: Schema =
    Schema::new("a runtime value", "final_value layer_values");

/// `envoy.config.core.v3.Node`: the proxy; its locality is used for zone-aware routing.
pub(in crate::envoy) static NODE: Schema = Schema::new("Node", "locality")
    .of("envoy.config.core.v3.Node")
    // What the control plane answers is compared itself.
    .ignored(&[(
        Process,
        "client_features cluster dynamic_parameters extensions id listening_addresses \
         metadata user_agent_build_version user_agent_name user_agent_version",
    )]);

/// `envoy.config.bootstrap.v3.ClusterManager`: names the cluster of the proxy itself.
pub(in crate::envoy) static CLUSTER_MANAGER: Schema =
    Schema::new("ClusterManager", "local_cluster_name")
        .of("envoy.config.bootstrap.v3.ClusterManager")
        .ignored(&[
            (Observability, "load_stats_config outlier_detection"),
            (Process, "enable_deferred_cluster_creation"),
            (Transport, "upstream_bind_config"),
        ]);

/// `envoy.config.bootstrap.v3.Bootstrap.StaticResources`: listeners and clusters.
pub(in crate::envoy) static STATIC_RESOURCES: Schema =
    Schema::new("StaticResources", "clusters listeners")
        .of("envoy.config.bootstrap.v3.Bootstrap.StaticResources")
        .ignored(&[(Transport, "secrets")]);

/// `envoy.config.listener.v3.Listener`: its filter chains, and how one is chosen.
pub(in crate::envoy) static LISTENER: Schema = Schema::new(
    "Listener",
    "@type name filter_chains default_filter_chain filter_chain_matcher \
     listener_filters udp_listener_config use_original_dst bind_to_port deprecated_v1 \
     address additional_addresses api_listener",
)
.of("envoy.config.listener.v3.Listener")
.limits(&[limit("fcds_config", "its filter chains are missing in the answer").even_empty()])
.ignored(&[
    (
        Admission,
        "bypass_overload_manager ignore_global_conn_limit",
    ),
    (
        Observability,
        "access_log stat_prefix stats_matcher traffic_direction",
    ),
    (Process, "drain_type"),
    (
        Timing,
        "continue_on_listener_filters_timeout listener_filters_timeout",
    ),
    (
        Transport,
        "connection_balance_config \
         enable_mptcp enable_reuse_port freebind internal_listener \
         max_connections_to_accept_per_socket_event \
         per_connection_buffer_high_watermark_timeout \
         per_connection_buffer_limit_bytes reuse_port socket_options \
         tcp_backlog_size tcp_fast_open_queue_length tcp_keepalive transparent",
    ),
    (UsedByOthers, "metadata"),
])
.partly("address additional_addresses deprecated_v1 bind_to_port");

/// `envoy.config.listener.v3.ApiListener`: the connection manager of a client.
pub(in crate::envoy) static API_LISTENER: Schema =
    Schema::new("ApiListener", "api_listener").of("envoy.config.listener.v3.ApiListener");

/// `envoy.extensions.filters.network.http_connection_manager.v3.EnvoyMobileHttpConnectionManager`: that of
/// Envoy Mobile.
pub(in crate::envoy) static MOBILE_MANAGER: Schema = Schema::new(
    "EnvoyMobileHttpConnectionManager",
    "@type config",
)
.of("envoy.extensions.filters.network.http_connection_manager.v3.EnvoyMobileHttpConnectionManager");

/// `envoy.config.listener.v3.FilterChain`: its network filters in order.
pub(in crate::envoy) static FILTER_CHAIN: Schema =
    Schema::new("FilterChain", "filters filter_chain_match transport_socket")
        .of("envoy.config.listener.v3.FilterChain")
        .limits(&[limit(
            "use_proxy_proto",
            "the client's address is the one of the PROXY protocol",
        )])
        .ignored(&[
            (Observability, "name"),
            (Timing, "transport_socket_connect_timeout"),
            (UsedByOthers, "metadata"),
        ])
        .partly("transport_socket");

/// `envoy.config.listener.v3.Filter`: a network filter.
pub(in crate::envoy) static FILTER: Schema = Schema::new("Filter", "name typed_config")
    .of("envoy.config.listener.v3.Filter")
    .limits(&[limit("config_discovery", "a filter from discovery is not known").even_empty()]);

/// `envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`: routes and
/// HTTP filters.
pub(in crate::envoy) static CONNECTION_MANAGER: Schema = Schema::new(
    "HttpConnectionManager",
    "@type route_config rds http_filters use_remote_address \
     xff_num_trusted_hops skip_xff_append original_ip_detection_extensions \
     internal_address_config append_x_forwarded_port \
     scheme_header_transformation early_header_mutation_extensions \
     merge_slashes normalize_path path_with_escaped_slashes_action \
     strip_any_host_port strip_matching_host_port strip_trailing_host_dot via \
     forward_client_cert_details generate_request_id add_user_agent \
     common_http_protocol_options forward_proto_config",
)
.of("envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager")
.limits(&[
    limit(
        "forward_client_cert_matcher",
        "x-forwarded-client-cert can have another value",
    )
    .header("x-forwarded-client-cert"),
    limit(
        "http_protocol_options",
        "requests with an absolute URL, of HTTP/1.0 or with an upgrade can have \
         another authority or route",
    )
    .with("allow_absolute_url=false default_host_for_http_10 ignore_http_11_upgrade"),
    limit(
        "max_request_headers_kb",
        "requests with larger headers get status 431",
    )
    .below(60),
    limit("path_normalization_options", "routes can match other paths"),
    limit(
        "preserve_external_request_id",
        "x-request-id can have another value",
    )
    .header("x-request-id"),
    limit(
        "represent_ipv4_remote_address_as_ipv4_mapped_ipv6",
        "the client's address has another text",
    )
    .header("x-forwarded-for x-envoy-external-address"),
    limit(
        "request_id_extension",
        "x-request-id can have another value",
    )
    .header("x-request-id"),
    limit("tracing", "these headers can have other values")
        .even_empty()
        .header("x-envoy-decorator-operation x-request-id"),
    limit(
        "local_reply_config",
        "responses of Envoy itself can have another status",
    )
    .with("mappers.status_code"),
    limit("scoped_routes", "its routes are missing in the answer").even_empty(),
    limit(
        "typed_header_validation_config",
        "headers and paths can be changed or refused",
    ),
    limit(
        "upgrade_configs",
        "requests with an upgrade have other HTTP filters",
    )
    .with("filters"),
])
.ignored(&[
    (
        Observability,
        "access_log access_log_flush_interval access_log_options \
         flush_access_log_on_new_request \
         record_route_resolution_stats stat_prefix",
    ),
    (
        Response,
        "always_set_request_id_in_response append_local_overload \
         proxy_100_continue proxy_status_config server_header_transformation \
         server_name",
    ),
    (
        Timing,
        "delayed_close_timeout drain_timeout drain_timeout_jitter \
         http1_safe_max_connection_duration request_headers_timeout \
         request_timeout stream_flush_timeout stream_idle_timeout",
    ),
    (
        Transport,
        "add_proxy_protocol_connection_state codec_type http2_protocol_options \
         http3_protocol_options stream_error_on_invalid_http_message",
    ),
    (UsedByOthers, "set_current_client_cert_details"),
])
.over_time(&[
    limit(
        "common_http_protocol_options",
        "requests that take that long fail",
    )
    .with("max_stream_duration"),
    limit("stream_idle_timeout", "requests that wait that long fail"),
])
.partly(
    "common_http_protocol_options forward_client_cert_details rds set_current_client_cert_details",
);

/// `envoy.extensions.filters.network.http_connection_manager.v3.Rds`: routes by name.
pub(in crate::envoy) static RDS: Schema = Schema::new("Rds", "route_config_name")
    .of("envoy.extensions.filters.network.http_connection_manager.v3.Rds")
    .ignored(&[(Discovery, "config_source")]);

/// A scenario of `spillgate simulate`, which is no message of Envoy. Its clusters are a list of Envoy's.
#[cfg(feature = "yaml")]
pub static SIMULATION: Schema = Schema::new(
    "a scenario",
    "config clusters drawn target weighted criteria subset_chain absent clients gateways \
     view_delay every steps seed rates sessions events",
);
