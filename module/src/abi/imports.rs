//! The callbacks of Envoy that 1.38, 1.39 and 1.40 have. A missing one prevents Envoy from loading the
//! module, so newer callbacks are in [`super::optional`].

use super::types::{Address, Buffer, Header, Metric};

macro_rules! callbacks {
    ($($name:ident = $symbol:literal ($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        unsafe extern "C" {
            $(
                #[link_name = concat!("envoy_dynamic_module_callback_", $symbol)]
                pub(super) fn $name($($argument: $type),*) $(-> $result)?;
            )*
        }
    };
}

callbacks! {
    log = "log"(severity: u32, message: Buffer);

    define_counter = "http_filter_config_define_counter"(config: Address, name: Buffer, labels: *const Buffer, count: usize, metric: *mut Metric) -> u32;
    scheduler_new = "http_filter_config_scheduler_new"(config: Address) -> Address;
    scheduler_commit = "http_filter_config_scheduler_commit"(scheduler: Address, event: u64);
    scheduler_delete = "http_filter_config_scheduler_delete"(scheduler: Address);

    increment_counter = "http_filter_increment_counter"(stream: Address, metric: Metric, labels: *const Buffer, count: usize, by: u64) -> u32;
    header = "http_get_header"(stream: Address, map: u32, name: Buffer, value: *mut Buffer, index: usize, count: *mut usize) -> bool;
    headers_size = "http_get_headers_size"(stream: Address, map: u32) -> usize;
    headers = "http_get_headers"(stream: Address, map: u32, headers: *mut Header) -> bool;
    set_header = "http_set_header"(stream: Address, map: u32, name: Buffer, value: Buffer) -> bool;
    add_header = "http_add_header"(stream: Address, map: u32, name: Buffer, value: Buffer) -> bool;
    send_response = "http_send_response"(stream: Address, status: u32, headers: *const Header, count: usize, body: Buffer, details: Buffer);
    clear_route_cache = "http_clear_route_cache"(stream: Address);
    clear_route_cluster_cache = "http_clear_route_cluster_cache"(stream: Address);
    cluster_name = "http_get_cluster_name"(stream: Address, name: *mut Buffer) -> bool;
    set_override_host = "http_set_upstream_override_host"(stream: Address, host: Buffer, strict: bool) -> bool;
    metadata_text = "http_get_metadata_string"(stream: Address, source: u32, namespace: Buffer, key: Buffer, value: *mut Buffer) -> bool;
    metadata_number = "http_get_metadata_number"(stream: Address, source: u32, namespace: Buffer, key: Buffer, value: *mut f64) -> bool;
    metadata_bool = "http_get_metadata_bool"(stream: Address, source: u32, namespace: Buffer, key: Buffer, value: *mut bool) -> bool;
    metadata_keys_count = "http_get_metadata_keys_count"(stream: Address, source: u32, namespace: Buffer) -> usize;
    metadata_keys = "http_get_metadata_keys"(stream: Address, source: u32, namespace: Buffer, keys: *mut Buffer) -> bool;
    set_metadata_text = "http_set_dynamic_metadata_string"(stream: Address, namespace: Buffer, key: Buffer, value: Buffer);
    set_filter_state = "http_set_filter_state_bytes"(stream: Address, key: Buffer, value: Buffer) -> bool;
    attribute_text = "http_filter_get_attribute_string"(stream: Address, attribute: u32, value: *mut Buffer) -> bool;
    attribute_number = "http_filter_get_attribute_int"(stream: Address, attribute: u32, value: *mut u64) -> bool;

    bootstrap_init_complete = "bootstrap_extension_config_signal_init_complete"(config: Address);
    bootstrap_gauge = "bootstrap_extension_get_gauge_value"(extension: Address, name: Buffer, value: *mut u64) -> bool;

    balancer_cluster = "lb_get_cluster_name"(balancer: Address, name: *mut Buffer);
    balancer_priorities = "lb_get_priority_set_size"(balancer: Address) -> usize;
    balancer_hosts = "lb_get_hosts_count"(balancer: Address, priority: u32) -> usize;
    host_address = "lb_get_host_address"(balancer: Address, priority: u32, host: usize, address: *mut Buffer) -> bool;
    host_health = "lb_get_host_health"(balancer: Address, priority: u32, host: usize) -> u32;
    host_weight = "lb_get_host_weight"(balancer: Address, priority: u32, host: usize) -> u32;
    host_stat = "lb_get_host_stat"(balancer: Address, priority: u32, host: usize, stat: u32) -> u64;
    host_locality = "lb_get_host_locality"(balancer: Address, priority: u32, host: usize, region: *mut Buffer, zone: *mut Buffer, sub_zone: *mut Buffer) -> bool;
    host_metadata_text = "lb_get_host_metadata_string"(balancer: Address, priority: u32, host: usize, namespace: Buffer, key: Buffer, value: *mut Buffer) -> bool;
    host_metadata_number = "lb_get_host_metadata_number"(balancer: Address, priority: u32, host: usize, namespace: Buffer, key: Buffer, value: *mut f64) -> bool;
    host_metadata_bool = "lb_get_host_metadata_bool"(balancer: Address, priority: u32, host: usize, namespace: Buffer, key: Buffer, value: *mut bool) -> bool;
    balancer_localities = "lb_get_locality_count"(balancer: Address, priority: u32) -> usize;
    locality_weight = "lb_get_locality_weight"(balancer: Address, priority: u32, locality: usize) -> u32;
    choice_headers_size = "lb_context_get_downstream_headers_size"(choice: Address) -> usize;
    choice_headers = "lb_context_get_downstream_headers"(choice: Address, headers: *mut Header) -> bool;
}

unsafe extern "C" {
    pub(super) fn gettid() -> i32;
    pub(super) fn getpid() -> i32;
    pub(super) fn dlsym(handle: Address, symbol: *const core::ffi::c_char) -> Address;
}
