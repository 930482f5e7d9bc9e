//! The keys that Envoy 1.40 reads on the way to a host.
//!
//! `crates/config/tests/runtime_keys/envoy-1.40.txt` lists the keys in Envoy's binary; a test checks that each has
//! a row here. Keys that a setting names (`runtime_key`, `runtime_key_prefix`) are read with that
//! setting.

use KeyEffect::{Irrelevant, Modeled, Named, NamedAtZero};

/// What a runtime key does to the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyEffect {
    /// The reader applies the value.
    Modeled,
    /// The value is not modeled; it can change this.
    Named(&'static str),
    /// As [`KeyEffect::Named`] if the value is 0: other values refuse by load only.
    NamedAtZero(&'static str),
    /// The value changes no choice of a host, for this reason.
    Irrelevant(&'static str),
}

/// A runtime key of Envoy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuntimeKey {
    /// The key. `*` means a name with at least one character, such as that of a cluster.
    pub key: &'static str,
    /// What its value does to the answers.
    pub effect: KeyEffect,
    /// How that is known of Envoy 1.40.
    pub evidence: &'static str,
}

/// The keys that Envoy 1.40 reads under a fixed name.
pub const RUNTIME_KEYS: [RuntimeKey; 28] = [
    row(
        "upstream.healthy_panic_threshold",
        Modeled,
        "one of three hosts healthy: with 33 all requests reach it, with 34 a third; also aggregates, ring and Maglev",
    ),
    row(
        "upstream.zone_routing.enabled",
        Modeled,
        "40 of two equal zones: 70 % stay in the local zone; 0: 50 %",
    ),
    row(
        "upstream.zone_routing.min_cluster_size",
        Modeled,
        "6 hosts: with 7 no zone-aware routing, with 6 instead of a configured 9 all requests stay",
    ),
    row(
        "upstream.zone_routing.force_local_zone.min_size",
        Modeled,
        "2 local hosts: with 2 all requests stay, with 3 half; 0 leaves the setting",
    ),
    row(
        "load_balancing_policy.drop_overload_limit",
        Modeled,
        "drop_overloads of 60 %: with 20, 20.7 % of 4000 requests are dropped; 150 is refused",
    ),
    row(
        "upstream.maintenance_mode.*",
        Named("the share of requests to this cluster that get a 503"),
        "with 30, 30.8 % of 3000 requests get a 503 with the flag UO",
    ),
    row(
        "upstream.use_retry",
        Named("the share of requests that are retried"),
        "a failed host in a round robin of two: with 0, 50 % of the requests fail; without, none",
    ),
    row(
        "circuit_breakers.*",
        Named("the requests and retries that circuit breakers reject"),
        "max_requests and max_pending_requests of 0: all requests get a 503 (UO); max_retries of 0: no retry",
    ),
    row(
        "outlier_detection.*",
        Named("when outlier detection ejects hosts"),
        "upstream documentation",
    ),
    row(
        "fault.http.*",
        Named("the requests that a fault filter answers"),
        "abort.abort_percent of 100 instead of 0: all requests get a 503 with the flag FI",
    ),
    row(
        "http_connection_manager.*",
        Named("the paths that routes compare"),
        "normalize_path of 100: the path /a/../b gets the route of /b",
    ),
    row("health_check.*", Irrelevant(HEALTH), "binary"),
    row(
        "upstream.base_retry_backoff_ms",
        Modeled,
        "of 20 retries under a timeout of 20 ms, 19 are too late with 200, 11 with the default",
    ),
    row("upstream.use_http2", Irrelevant(TRANSPORT), "binary"),
    row("upstream.use_http3", Irrelevant(TRANSPORT), "binary"),
    row(
        "config.do_not_validate_alpn_support",
        Irrelevant(TRANSPORT),
        "binary",
    ),
    row(
        "http.max_requests_per_io_cycle",
        Irrelevant(TIMING),
        "binary",
    ),
    row("ratelimit.*", Irrelevant(ADMISSION), "binary"),
    row(
        "overload.global_downstream_max_connections",
        NamedAtZero(CONNECTIONS),
        "0: Envoy closes every connection",
    ),
    row(
        "envoy.resource_limits.listener.*",
        NamedAtZero(CONNECTIONS),
        "connection_limit of 0: the listener closes every connection",
    ),
    row("overload.*", Irrelevant(ADMISSION), "binary"),
    row("adaptive_concurrency.*", Irrelevant(ADMISSION), "binary"),
    row("re2.*", Irrelevant(ACCEPTANCE), "binary"),
    row("tracing.*", Irrelevant(OBSERVABILITY), "binary"),
    row("access_log.*", Irrelevant(OBSERVABILITY), "binary"),
    row("envoy.features.*", Irrelevant(ACCEPTANCE), "binary"),
    row(
        "envoy.deprecated_features.*",
        Irrelevant(ACCEPTANCE),
        "binary",
    ),
    row("envoy.restart_features.*", Irrelevant(TRANSPORT), "binary"),
];

const CONNECTIONS: &str = "the connections that listeners close";
const HEALTH: &str = "the health of hosts is an input";
const TIMING: &str = "timing";
const TRANSPORT: &str = "transport";
const ADMISSION: &str = "whether a request is admitted, before a host is chosen";
const ACCEPTANCE: &str = "which configurations Envoy accepts";
const OBSERVABILITY: &str = "observability";

/// The prefix of features that Envoy 1.40 can switch.
const FEATURES: &str = "envoy.reloadable_features.";

/// The features that can change a choice, each with what they change.
const DECIDING_FEATURES: [(&str, &str); 16] = [
    (
        "coalesce_formatter_accept_empty_values",
        "headers that routes add",
    ),
    (
        "dfp_cluster_resolves_hosts",
        "the hosts of dynamic forward proxies",
    ),
    (
        "enable_new_query_param_present_match_behavior",
        "query parameter conditions of routes",
    ),
    ("enable_universal_header_validator", "normalized paths"),
    (
        "header_mutation_url_encode_query_params",
        "query parameters that header_mutation sets",
    ),
    ("http2_discard_host_header", "the host of a request"),
    (
        "least_request_lb_count_pending_requests",
        "the hosts of LEAST_REQUEST under load",
    ),
    ("match_headers_individually", "header conditions of routes"),
    (
        "metadata_formatter_only_truncate_string",
        "headers that routes add",
    ),
    ("re2_use_latin1_mode", "regular expressions"),
    ("remove_legacy_route_formatter", "headers that routes add"),
    (
        "skip_partition_original_dst_hosts",
        "the hosts of ORIGINAL_DST clusters",
    ),
    ("strip_dotdot_segments_with_parameters", "normalized paths"),
    (
        "strip_path_parameters_per_segment",
        "path parameters in routes",
    ),
    (
        "uhv_allow_malformed_url_encoding",
        "paths with invalid escapes",
    ),
    ("uri_template_mixed_variable_literals", "path templates"),
];

/// The features that the reader applies.
const MODELED_FEATURES: [&str; 2] = [
    "composite_cluster_skip_clusters_without_hosts",
    "http_reject_path_with_fragment",
];

/// Features of earlier versions that deployed configurations still set: Envoy 1.40 reads none of them.
const REMOVED_FEATURES: [&str; 5] = [
    "disable_tls_inspector_injection",
    "explicit_internal_address_config",
    "ext_authz_http_service_enable_case_sensitive_string_matcher",
    "no_extension_lookup_by_name",
    "strict_1xx_and_204_response_headers",
];

/// The features of Envoy 1.40 that change no choice: codecs, transport, other filters, delivery of
/// configurations, statistics.
const OTHER_FEATURES: &str = "abort_when_accessing_dead_decoder allow_multiplexed_upstream_half_close \
     async_host_selection cares_dual_resolution_preserve_failure \
     cel_message_serialize_text_format coalesce_lb_rebuilds_on_batch_update \
     codec_client_enable_idle_timer_only_when_connected conn_pool_fix_reentrancy \
     conn_pool_grid_early_return_on_teardown connection_close_through_filter_manager \
     connectivity_grid_prevent_double_h2_scheduled \
     direct_local_reply_flush_saved_response_metadata \
     disable_quic_ip_packet_info_socket_options \
     disable_quic_rx_queue_overflow_socket_options disallow_quic_client_udp_mmsg \
     disallow_redirect_prefix_rewrite_with_path_match_policy \
     dns_cache_set_ip_version_to_remove dynamic_modules_rtld_now \
     dynamic_modules_strip_custom_stat_prefix ecds_filter_use_parent_stats_prefix \
     enable_batch_aware_update enable_cel_response_path_matching \
     enable_compression_bomb_protection \
     enable_formatter_for_ratelimit_action_descriptor_value enable_lrs_server_self_ads \
     enable_new_dns_implementation enable_send_rst_on_user_space_socket \
     enable_stats_explicit_tags ext_proc_fail_close_spurious_resp \
     ext_proc_graceful_grpc_close ext_proc_inject_data_with_state_update \
     ext_proc_not_send_empty_data_with_false_eos ext_proc_report_client_creation_error \
     ext_proc_return_stop_iteration filter_chain_drain_uses_configured_strategy \
     filter_manager_forward_added_data_on_continue fix_http3_early_data_timing \
     fixed_heap_use_allocated getaddrinfo_no_ai_flags google_grpc_disable_tls_13 \
     grpc_side_stream_flow_control grpc_timeout_returns_deadline_exceeded \
     happy_eyeballs_sort_non_ip_addresses health_check_after_cluster_warming \
     hide_transport_failure_reason_in_response_body hot_restart_propagate_stat_tags \
     http1_allow_query_method http1_close_connection_on_zombie_stream_complete \
     http2_fix_goaway_loadshed_point http2_flood_protection_active_streams \
     http2_include_cookies_in_limits http2_mask_continuation_flags \
     http2_max_cookies_size_in_kb http2_record_histograms \
     http2_reject_frames_after_end_stream http2_track_size_of_dropped_host_header \
     http2_use_oghttp2 http3_fix_goaway_loadshed_point http3_happy_eyeballs \
     http_11_proxy_connect_legacy_format http_inspector_fast_fail_invalid_method_bytes \
     http_inspector_use_balsa_parser http_pause_generic_upgrade_request_body \
     http_preserve_rst_no_error ja4_alpn_hex_conversion_fix \
     json_formatter_omit_empty_values jwt_authn_add_verification_status_header \
     jwt_authn_sanitize_payload_headers_filter_wide limit_json_parser_nesting_depth \
     listener_filter_reentrant_continue_guard \
     local_ratelimit_shadow_mode_no_short_circuit map_http_stream_reset_to_tcp_rst \
     max_request_headers_count max_request_headers_size_kb max_response_headers_count \
     max_response_headers_size_kb mcp_filter_use_new_metadata_namespace \
     non_graceful_drain_notifies_connections oauth2_client_retries_respect_user_retry_on \
     oauth2_legacy_cbc_decrypt_compat oauth2_use_gcm_encryption \
     on_demand_cluster_no_recreate_stream on_demand_vhds_no_recreate_stream \
     on_demand_vhds_require_route_match orca_accept_unpadded_base64 \
     orca_weight_manager_use_named_metrics_first pqc_default_ecdh_curves \
     preserve_downstream_keepalive propagate_downstream_rst_to_upstream \
     propagate_upstream_rst_through_tunneled_tcp_proxy \
     proxy_protocol_added_tlvs_format_string proxy_protocol_allow_duplicate_tlvs \
     proxy_protocol_remove_too_long_tlvs quic_disable_data_read_immediately \
     quic_enable_reset_ssl_after_handshake quic_hot_restart_time_wait_before_forward \
     quic_mtls_resumption_disabled_by_default quic_mtls_server_enabled quic_no_tcp_delay \
     quic_reject_all quic_send_server_preferred_address_to_all_clients \
     quic_session_ticket_support quic_support_additional_ecdsa_curves \
     quic_support_web_transport quic_upstream_auto_host_sni \
     quic_upstream_client_certificates quic_upstream_reads_fixed_number_packets \
     quic_validate_headers_only_content_length rbac_match_headers_individually \
     rbac_respect_ignore_path_parameters report_load_for_non_zero_stats \
     reresolve_if_no_connections reresolve_null_addresses \
     response_headers_to_remove_on_1xx reverse_conn_force_local_reply runtime_initialized \
     sanitize_html_stats_names sanitize_upstream_stream_duration_header \
     scope_upstream_tls_session_cache_by_sni shadow_policy_inherit_dynamic_metadata \
     skip_dns_lookup_for_proxied_requests skip_pending_overflow_count_on_active_rq \
     spiffe_validator_use_upstream_subject_alt_names ssl_socket_report_connection_reset \
     strict_chunk_parsing strict_stats_matcher_unpacked \
     strip_upgrade_header_on_failed_websocket_upgrades tap_honor_tap_enabled \
     tcp_proxy_delay_route_selection tls_certificate_compression_brotli \
     tls_inspector_enforce_client_tls_version udp_hot_restart_session_handoff \
     udp_send_zero_length_datagrams udp_set_do_not_fragment unified_mux \
     upstream_bind_config_fix_port_exhaustion upstream_http_filters_correct_stats_prefix \
     upstream_wasm_filter_uses_root_scope use_canonical_suffix_for_initial_rtt_estimate \
     use_canonical_suffix_for_quic_brokenness use_canonical_suffix_for_srtt \
     use_connection_event_drain use_response_decoder_handle \
     use_stats_prefix_scope_for_http_filter vhds_answered_alias_cache \
     xds_failover_to_primary_enabled xds_legacy_delta_skip_subsequent_node \
     xdstp_based_config_singleton_subscriptions zipkin_preserve_b3_single_header_format";

const fn row(key: &'static str, effect: KeyEffect, evidence: &'static str) -> RuntimeKey {
    RuntimeKey {
        key,
        effect,
        evidence,
    }
}

/// What a runtime key does, and the name in place of its `*`. `None` if Envoy reads no such key
/// under a fixed name.
///
/// # Examples
/// ```
/// use spillgate_config::runtime::{KeyEffect, key_effect};
///
/// let (effect, name) = key_effect("upstream.maintenance_mode.shop").unwrap();
/// assert!(matches!(effect, KeyEffect::Named(_)));
/// assert_eq!(name, "shop");
/// assert_eq!(key_effect("shop.canary_percent"), None);
/// ```
#[must_use]
pub fn key_effect(key: &str) -> Option<(KeyEffect, &str)> {
    if let Some(feature) = key.strip_prefix(FEATURES) {
        return Some((feature_effect(feature), ""));
    }
    RUNTIME_KEYS.iter().find_map(|row| {
        let name = match row.key.strip_suffix('*') {
            Some(prefix) => key.strip_prefix(prefix).filter(|name| !name.is_empty())?,
            None => (row.key == key).then_some("")?,
        };
        Some((row.effect, name))
    })
}

fn feature_effect(feature: &str) -> KeyEffect {
    if MODELED_FEATURES.contains(&feature) {
        return Modeled;
    }
    if REMOVED_FEATURES.contains(&feature) {
        return Irrelevant("Envoy 1.40 does not read it");
    }
    if let Some((_, what)) = DECIDING_FEATURES.iter().find(|(name, _)| *name == feature) {
        return Named(what);
    }
    let is_other = OTHER_FEATURES
        .split_ascii_whitespace()
        .any(|name| name == feature);
    if is_other || feature.starts_with("FLAGS_") {
        return Irrelevant("codecs, transport, other filters, delivery or statistics");
    }
    Named("unknown behavior: this version of Envoy is not known to have the feature")
}
