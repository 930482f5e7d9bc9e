//! The bootstrap and the messages on the way to routes.

use crate::proto::Schema;

/// `envoy.config.bootstrap.v3.Bootstrap`: the whole static configuration.
pub(in crate::envoy) static BOOTSTRAP: Schema = Schema::new(
    "Bootstrap",
    "@type static_resources node cluster_manager layered_runtime",
)
.ignored(
    "admin application_log_config bootstrap_extensions certificate_provider_instances \
     config_sources default_config_source default_regex_engine default_socket_interface \
     deferred_stat_options dns_resolution_config dynamic_resources enable_dispatcher_stats \
     enable_worker_cpu_affinity fatal_actions flags_path grpc_async_client_manager_config \
     hds_config header_prefix inline_headers listener_manager \
     memory_allocator_manager node_context_params overload_manager perf_tracing_file_path \
     stats_config stats_eviction_interval stats_flush_interval stats_flush_on_admin \
     stats_server_version_override stats_sinks tracing typed_dns_resolver_config \
     use_tcp_for_dns_lookups watchdog watchdogs xds_config_tracker_extension \
     xds_delegate_extension",
);

/// `envoy.config.bootstrap.v3.LayeredRuntime`: the runtime values of all layers.
#[cfg(feature = "yaml")]
pub(in crate::envoy) static LAYERED_RUNTIME: Schema = Schema::new("LayeredRuntime", "layers");

/// `envoy.config.bootstrap.v3.RuntimeLayer`: one layer; only static ones have their values here.
#[cfg(feature = "yaml")]
pub(in crate::envoy) static RUNTIME_LAYER: Schema = Schema::new(
    "RuntimeLayer",
    "name static_layer disk_layer admin_layer rtds_layer",
);

/// `envoy.config.core.v3.Node`: the proxy; its locality is used for zone-aware routing.
pub(in crate::envoy) static NODE: Schema = Schema::new("Node", "locality").ignored(
    "client_features cluster dynamic_parameters extensions id listening_addresses metadata \
     user_agent_build_version user_agent_name user_agent_version",
);

/// `envoy.config.bootstrap.v3.ClusterManager`: names the cluster of the proxy itself.
pub(in crate::envoy) static CLUSTER_MANAGER: Schema =
    Schema::new("ClusterManager", "local_cluster_name").ignored(
        "enable_deferred_cluster_creation load_stats_config outlier_detection \
     upstream_bind_config",
    );

/// `envoy.config.bootstrap.v3.Bootstrap.StaticResources`: listeners and clusters.
pub(in crate::envoy) static STATIC_RESOURCES: Schema =
    Schema::new("StaticResources", "clusters listeners").ignored("secrets");

/// `envoy.config.listener.v3.Listener`: its filter chains, and how one is chosen.
pub(in crate::envoy) static LISTENER: Schema = Schema::new(
    "Listener",
    "@type name filter_chains default_filter_chain filter_chain_matcher listener_filters \
     udp_listener_config",
)
.ignored(
    "access_log additional_addresses address api_listener bind_to_port \
     bypass_overload_manager connection_balance_config continue_on_listener_filters_timeout \
     deprecated_v1 drain_type enable_mptcp enable_reuse_port fcds_config \
     freebind ignore_global_conn_limit internal_listener \
     listener_filters_timeout max_connections_to_accept_per_socket_event metadata \
     per_connection_buffer_high_watermark_timeout per_connection_buffer_limit_bytes \
     reuse_port socket_options stat_prefix stats_matcher tcp_backlog_size \
     tcp_fast_open_queue_length tcp_keepalive traffic_direction transparent \
     use_original_dst",
);

/// `envoy.config.listener.v3.FilterChain`: its network filters in order.
pub(in crate::envoy) static FILTER_CHAIN: Schema =
    Schema::new("FilterChain", "filters filter_chain_match").ignored(
        "metadata name transport_socket transport_socket_connect_timeout \
     use_proxy_proto",
    );

/// `envoy.config.listener.v3.Filter`: a network filter.
pub(in crate::envoy) static FILTER: Schema =
    Schema::new("Filter", "name typed_config").ignored("config_discovery");

/// `envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`: routes and
/// HTTP filters.
pub(in crate::envoy) static CONNECTION_MANAGER: Schema = Schema::new(
    "HttpConnectionManager",
    "@type route_config rds http_filters use_remote_address xff_num_trusted_hops",
)
.not_modeled(
    "early_header_mutation_extensions merge_slashes normalize_path \
     original_ip_detection_extensions path_normalization_options \
     path_with_escaped_slashes_action scoped_routes strip_any_host_port \
     strip_matching_host_port strip_trailing_host_dot",
)
.ignored(
    "access_log access_log_flush_interval access_log_options \
     add_proxy_protocol_connection_state add_user_agent always_set_request_id_in_response \
     append_local_overload append_x_forwarded_port codec_type common_http_protocol_options \
     delayed_close_timeout drain_timeout drain_timeout_jitter flush_access_log_on_new_request \
     forward_client_cert_details forward_client_cert_matcher forward_proto_config \
     generate_request_id http1_safe_max_connection_duration http2_protocol_options \
     http3_protocol_options http_protocol_options internal_address_config local_reply_config \
     max_request_headers_kb preserve_external_request_id proxy_100_continue \
     proxy_status_config record_route_resolution_stats \
     represent_ipv4_remote_address_as_ipv4_mapped_ipv6 request_headers_timeout \
     request_id_extension request_timeout scheme_header_transformation \
     server_header_transformation server_name set_current_client_cert_details skip_xff_append \
     stat_prefix stream_error_on_invalid_http_message stream_flush_timeout \
     stream_idle_timeout tracing typed_header_validation_config upgrade_configs via",
);

/// `envoy.extensions.filters.network.http_connection_manager.v3.Rds`: routes by name.
pub(in crate::envoy) static RDS: Schema =
    Schema::new("Rds", "route_config_name").ignored("config_source");

/// A scenario of `spillgate simulate`, which is no message of Envoy. Its clusters are a list of Envoy's.
#[cfg(feature = "yaml")]
pub static SIMULATION: Schema = Schema::new(
    "a scenario",
    "config clusters drawn target weighted criteria subset_chain absent clients gateways \
     view_delay every steps seed rates sessions events",
);
