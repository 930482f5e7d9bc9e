//! Envoy's messages in the filter's configuration: clusters, route matches, hash policies and metadata.
//!
//! The filter uses their load-balancing fields. All others, such as those of TLS, are omitted.

use serde_json::Value;

use super::walk::snake_case;

/// Fields with texts that stay: names, addresses, values of enums, and the parts of a request to which a
/// match compares.
const TEXTS: &str = "\
    @type type_url name cluster_name service_name endpoint_name hostname address path \
    server_listener_name endpoint_id region zone sub_zone category clusters keys \
    fallback_keys_subset header header_name http_header_name key runtime_key \
    metric_names_for_computing_utilization \
    prefix suffix exact contains path_separated_prefix exact_match prefix_match suffix_match \
    contains_match \
    type lb_policy fallback_policy metadata_fallback_policy health_status statuses hash_function \
    selection_method locality_basis denominator";

/// Fields with messages, numbers, Booleans and durations.
const OTHERS: &str = "\
    cluster_type typed_config eds_cluster_config load_assignment ring_hash_lb_config \
    maglev_lb_config original_dst_lb_config round_robin_lb_config least_request_lb_config \
    lb_subset_config common_lb_config load_balancing_policy metadata outlier_detection \
    max_ejection_percent always_eject_one_host preconnect_policy \
    per_upstream_preconnect_ratio predictive_preconnect_ratio \
    healthy_panic_threshold zone_aware_lb_config locality_weighted_lb_config \
    consistent_hashing_lb_config ignore_new_hosts_until_first_hc override_host_status \
    update_merge_window use_hostname_for_hashing hash_balance_factor hash_policy \
    minimum_ring_size maximum_ring_size table_size slow_start_config choice_count \
    active_request_bias enable_full_scan slow_start_window aggression min_weight_percent \
    use_http_header upstream_port_override metadata_key \
    policies typed_extension_config value locality_lb_config routing_enabled min_cluster_size \
    fail_traffic_on_panic force_locality_direct_routing force_local_zone min_size \
    default_value numerator subset_selectors single_host_per_subset allow_redundant_keys \
    locality_weight_aware scale_locality_weight panic_mode_any list_as_any subset_lb_policy \
    override_host_sources endpoint_picking_policy enable_oob_load_report oob_reporting_period \
    blackout_period weight_expiration_period weight_update_period error_utilization_penalty \
    utilization_variance_threshold smoothing_time_constant remote_probe_fraction \
    endpoints policy drop_overloads drop_percentage endpoint_stale_after \
    overprovisioning_factor weighted_priority_health locality lb_endpoints \
    load_balancing_weight priority endpoint socket_address port_value pipe \
    envoy_internal_address \
    case_sensitive headers query_parameters string_match present_match invert_match \
    treat_missing_header_as_empty range_match start end ignore_case runtime_fraction grpc \
    cookie ttl query_parameter connection_properties source_ip filter_state terminal";

/// Metadata that the filter reads, by the name of the filter.
const NAMESPACES: [&str; 2] = ["envoy.lb", "spillgate"];

/// Keeps the fields that are known to be harmless.
pub(super) fn keep_known(value: &mut Value) {
    let Value::Object(fields) = value else {
        return;
    };
    let listed = |list: &str, field: &str| list.split_ascii_whitespace().any(|name| name == field);
    fields.retain(|field, value| match &*snake_case(field) {
        "filter_metadata" => {
            if let Value::Object(namespaces) = value {
                namespaces.retain(|name, _| NAMESPACES.contains(&&**name));
            }
            true
        }
        // Metadata.
        "default_subset" => true,
        name => {
            let may_have_texts = listed(TEXTS, name);
            keep_in(value, may_have_texts) && (may_have_texts || listed(OTHERS, name))
        }
    });
}

/// Keeps the harmless parts of a field's value. Returns `false` if nothing of it stays.
fn keep_in(value: &mut Value, may_be_text: bool) -> bool {
    match value {
        Value::Array(items) => {
            items.retain_mut(|item| keep_in(item, may_be_text));
            true
        }
        Value::String(text) => may_be_text || is_plain(text),
        _ => {
            keep_known(value);
            true
        }
    }
}

/// Whether a text is a number, a duration or a Boolean.
pub(super) fn is_plain(text: &str) -> bool {
    let number = text.trim_end_matches(['m', 's']);
    number.parse::<f64>().is_ok() || matches!(text, "true" | "false")
}
